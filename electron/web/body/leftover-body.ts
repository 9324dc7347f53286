import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../engine/platform/clock.ts';

/** A sender that has its answer while it is still sending hears it once it has sent the rest; for that it gets so much. */
const LINGER_MS = 5_000;
const MOST_LINGERING_BYTES = 16 * 1024 * 1024;

/**
 * Bounds what comes after an answer that did not wait for the body, as after a refusal: what arrives is dropped, and the
 * connection is cut when it is too much or takes too long.
 */
export function boundLeftover(
  request: IncomingMessage,
  response: ServerResponse,
  clock: Pick<Clock, 'setTimer'>,
): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    const { socket } = request;
    let bytes = 0;
    const cancel = clock.setTimer(LINGER_MS, () => socket.destroy());
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_LINGERING_BYTES) socket.destroy();
    });
    request.once('close', cancel);
    request.once('end', cancel);
    request.resume();
  });
}
