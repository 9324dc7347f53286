import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';

it('a free port is below those of outgoing connections, and is given once', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(Math.max(...ports)).toBeLessThan(32_768);
  expect(new Set(ports).size).toBe(50);
});

it('a port in use is passed over', async () => {
  const taken = (await freePort()) + 1;
  const server = createServer();
  await new Promise<void>(resolve => server.listen(taken, '127.0.0.1', resolve));
  expect(await freePort()).toBe(taken + 1);
  await new Promise(resolve => server.close(resolve));
});
