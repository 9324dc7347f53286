import { createServer } from 'node:net';

/** Systems give outgoing connections ports from 32,768 on; a port below stays free until its server starts. */
const FIRST = 12_000;
const LAST = 32_000;

/** Each process begins somewhere else, so that two of them do not choose the same port at the same time. */
let next = FIRST + Math.floor(Math.random() * (LAST - FIRST));

/** Returns a free loopback port, another one at each call, for a server that cannot choose one itself. */
export async function freePort(): Promise<number> {
  for (let tries = LAST - FIRST; tries > 0; tries--) {
    const port = next;
    next = next === LAST ? FIRST : next + 1;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port is free between ${FIRST} and ${LAST}`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise(resolve => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
