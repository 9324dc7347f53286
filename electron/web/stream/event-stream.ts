import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { positionAfter } from '../../../shared/model/change-log/pulled-events.ts';
import { failureBody } from '../answer/response.ts';
import { expectedFailure } from '../answer/rest-errors.ts';
import type { ReadPage } from './event-pages.ts';

/** Time that one read waits for events; after it, an idle stream sends a comment. */
const WAIT_MS = 5_000;
const COMMENT = Buffer.from(': \n\n');

/**
 * Answers `events.watch` as server-sent events. The next page is read when the one before has been sent: no event waits
 * in memory for a slow reader [V3]. Rejects with the engine's error before the first event. A later error of the
 * engine, for example if a mirror becomes stale [V5], is sent as the last event, named `error`; any other failure ends
 * the connection.
 */
export async function answerEvents(
  read: ReadPage,
  from: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { 'last-event-id': lastEventId } = request.headers;
  const received = positionAfter(typeof lastEventId === 'string' ? lastEventId : undefined);
  const first = await read(received ?? from, 0);
  if (response.destroyed) return;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const frames = async function* () {
    yield COMMENT;
    try {
      for (let page = first; ; page = await read(page.next, WAIT_MS))
        yield page.bytes.length === 0 ? COMMENT : page.bytes;
    } catch (error) {
      const failure = expectedFailure(error);
      if (failure === undefined) throw error;
      yield Buffer.from(`event: error\ndata: ${JSON.stringify(failureBody(failure))}\n\n`);
    }
  };
  await pipeline(Readable.from(frames(), { objectMode: false }), response).catch(() => {
    // The reader disconnected, its token was revoked or the engine stopped: the reader reconnects and gets the reason.
    response.destroy();
  });
}
