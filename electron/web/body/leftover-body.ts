import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../engine/platform/clock.ts';

/**
 * Time and bytes allowed for the rest of a body: many clients read the response only after they have sent the whole
 * body.
 */
const LINGER_MS = 5_000;
const MOST_LINGERING_BYTES = 16 * 1024 * 1024;

/**
 * Limits the rest of a body after an early response, such as a refusal: the rest is dropped, and the connection is
 * closed if it is too large or takes too long.
 */
export function limitLeftoverBody(
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
