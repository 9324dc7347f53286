import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { placeAfter } from '../../../shared/model/pulled-events.ts';
import { failureBody } from '../answer/answer.ts';
import { expectedFailure } from '../answer/rest-errors.ts';
import type { ReadPage } from './event-pages.ts';

/** How long one question waits for something to happen; a stream without events says then that it is there. */
const WAIT_MS = 5_000;
const COMMENT = Buffer.from(': \n\n');

/**
 * Answers `events.watch` as server-sent events, a page when the one before has left: no event waits in memory for a slow
 * reader [V3]. Rejects with what the engine refuses before the first event. A later refusal, as of a mirror that becomes stale
 * [V5], is the last event, named `error`; any other failure ends the connection.
 */
export async function answerEvents(
  read: ReadPage,
  from: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { 'last-event-id': lastEventId } = request.headers;
  const received = placeAfter(typeof lastEventId === 'string' ? lastEventId : undefined);
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
    // The reader has gone, its token was revoked or the engine is away: it comes again and is told.
    response.destroy();
  });
}
