import type { Clock } from '../platform/clock.ts';
import { http } from '../platform/node-http.ts';

const TIMEOUT_MS = 10_000;

/**
 * Posts `body` once and resolves with the status of the answer, whose body is not read. Redirects are not followed.
 * Rejects if there is no answer within ten seconds.
 */
export async function post(
  clock: Clock,
  url: URL,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
): Promise<number> {
  const { request: send } = url.protocol === 'https:' ? await import('node:https') : http;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    const cancel = clock.setTimer(TIMEOUT_MS, () =>
      request.destroy(new Error('no answer within 10 seconds')),
    );
    request.on('response', response => {
      resolve(response.statusCode ?? 0);
      cancel();
      response.destroy();
    });
    request.on('error', error => {
      cancel();
      reject(error);
    });
    request.end(body);
  });
}
