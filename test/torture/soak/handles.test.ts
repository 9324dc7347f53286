import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { heldHandles } from './handles.ts';

const onLinux = it.skipIf(process.platform !== 'linux');

onLinux('a connection that its client has closed, and the process has not, is a handle', async () => {
  const accepted: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, socket => accepted.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const before = heldHandles(process.pid);
  const client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
  await once(client, 'connect');
  await expect.poll(() => accepted.length).toBe(1);
  // This process has both ends.
  expect(heldHandles(process.pid)).toEqual({ ...before, connections: before.connections + 2 });
  client.destroy();
  await once(client, 'close');
  await expect.poll(() => heldHandles(process.pid)).toEqual({ ...before, handles: before.handles + 1 });
  accepted[0]?.destroy();
  await expect.poll(() => heldHandles(process.pid)).toEqual(before);
  server.close();
});

onLinux('an open file is a handle', () => {
  const { handles } = heldHandles(process.pid);
  const file = openSync(import.meta.filename, 'r');
  expect(heldHandles(process.pid).handles).toBe(handles + 1);
  closeSync(file);
});
