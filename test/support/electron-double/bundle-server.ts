import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HOST, toElectron } from './address.ts';

export type Handler = (request: Request) => Response | Promise<Response>;

/** Serves Chromium the answers of the app's protocol handler. Resolves with its port. */
export async function serveProtocol(handler: () => Handler | undefined): Promise<number> {
  const server = createServer(async (request, response) => {
    const handle = handler();
    if (handle === undefined) {
      response.destroy();
      return;
    }
    const url = toElectron(`http://${HOST}${request.url}`);
    const answer = await handle(new Request(url, { method: request.method ?? 'GET' }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    // A page that is closed during the answer ends it.
    if (answer.body === null) response.end();
    else await pipeline(Readable.from(answer.body), response).catch(() => {});
  });
  server.unref();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return port;
}
