import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { startTestThread } from '../../../support/thread.ts';

it.each([
  ['text that is no call', 'garbage'],
  ['JSON that is no call', '{"a": [1, 2]}'],
  ['bytes', new Uint8Array([0, 1, 2, 255])],
  ['a number', 7],
])('a port that sends %s is closed, and the others continue', async (_what, nonsense) => {
  const { host, client } = await startTestThread();
  const { port1: near, port2: far } = new MessageChannel();
  host.attach(far);
  const closed = once(near, 'close');
  near.postMessage(nonsense);
  await closed;
  await client.collections.create({ name: 'still here' });
  expect(await client.collections.list()).toHaveLength(1);
});
