import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../engine/platform/clock.ts';
import { RefusedBody } from '../answer/refused-body.ts';

/** How much has to arrive in each span of time. */
export interface Pace {
  spanMs: number;
  leastBytes: number;
}

/** A body that is kept in memory meanwhile has to arrive at 1 KiB/s at least. */
export const HELD_PACE: Pace = { spanMs: 15_000, leastBytes: 15 * 1024 };
/** One that is written as it arrives may come slowly, and not be silent for longer than an import waits. */
export const STREAMED_PACE: Pace = { spanMs: 300_000, leastBytes: 1 };

/**
 * The chunks of a request's body. A sender that waits for it (`Expect: 100-continue`) is told to go on. The time
 * between two chunks that the caller of the generator takes does not count. Throws RefusedBody (408) where the body
 * comes slower than `pace`.
 */
export async function* bodyChunks(
  request: IncomingMessage,
  response: ServerResponse,
  { clock, pace }: { clock: Pick<Clock, 'setTimer'>; pace: Pace },
): AsyncGenerator<Buffer> {
  if (request.headers.expect !== undefined) response.writeContinue();
  const chunks = request.iterator({ destroyOnReturn: false });
  const slow = Promise.withResolvers<never>();
  // Nobody may be waiting when it rejects.
  slow.promise.catch(() => {});
  let bytes = 0;
  let isOurTurn = false;
  let cancel = () => {};
  const watch = () => {
    const before = bytes;
    cancel = clock.setTimer(pace.spanMs, () => {
      if (isOurTurn || bytes - before >= pace.leastBytes) watch();
      else slow.reject(tooSlow(pace));
    });
  };
  watch();
  try {
    for (;;) {
      const { value: chunk, done } = await Promise.race([chunks.next(), slow.promise]);
      if (done === true) return;
      if (!Buffer.isBuffer(chunk)) throw new TypeError('a request without an encoding gives buffers');
      bytes += chunk.length;
      isOurTurn = true;
      yield chunk;
      isOurTurn = false;
    }
  } finally {
    cancel();
    // Lets go of the request, so that the rest can be dropped; not awaited, since a chunk may never come.
    void chunks.return?.();
  }
}

function tooSlow({ spanMs, leastBytes }: Pace): RefusedBody {
  return new RefusedBody({
    status: 408,
    code: 'REQUEST_TIMEOUT',
    message: `The body came too slowly: at least ${leastBytes} bytes are to arrive in ${spanMs / 1000} seconds.`,
  });
}
