import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../engine/platform/clock.ts';
import { RefusedBody } from '../answer/refused-body.ts';

/** Least number of bytes that must arrive in each span of time. */
export interface Pace {
  spanMs: number;
  leastBytes: number;
}

/** For bodies that are collected in memory: 1 KiB/s. */
export const BUFFERED_PACE: Pace = { spanMs: 15_000, leastBytes: 15 * 1024 };
/**
 * For bodies that are written as they arrive: a slow sender is allowed; the limit is the time that an import waits for
 * text.
 */
export const STREAMED_PACE: Pace = { spanMs: 300_000, leastBytes: 1 };

/**
 * Yields the chunks of a request's body; answers `Expect: 100-continue`. Throws RefusedBody (408) if the body arrives
 * more slowly than `pace`. The time that the consumer takes between two chunks does not count.
 */
export async function* bodyChunks(
  request: IncomingMessage,
  response: ServerResponse,
  { clock, pace }: { clock: Pick<Clock, 'setTimer'>; pace: Pace },
): AsyncGenerator<Buffer> {
  if (request.headers.expect !== undefined) response.writeContinue();
  const chunks = request.iterator({ destroyOnReturn: false });
  const slow = Promise.withResolvers<never>();
  // The promise may reject while no `race` waits for it.
  slow.promise.catch(() => {});
  let bytes = 0;
  let isConsuming = false;
  let cancel = () => {};
  const watch = () => {
    const before = bytes;
    cancel = clock.setTimer(pace.spanMs, () => {
      if (isConsuming || bytes - before >= pace.leastBytes) watch();
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
      isConsuming = true;
      yield chunk;
      isConsuming = false;
    }
  } finally {
    cancel();
    // Releases the request, so that the rest can be dropped. Not awaited: a chunk may never arrive.
    void chunks.return?.();
  }
}

function tooSlow({ spanMs, leastBytes }: Pace): RefusedBody {
  return new RefusedBody({
    status: 408,
    code: 'REQUEST_TIMEOUT',
    message: `The body arrived too slowly: at least ${leastBytes} bytes must arrive every ${spanMs / 1000} seconds.`,
  });
}
