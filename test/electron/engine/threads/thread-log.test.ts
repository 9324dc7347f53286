import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { startEngine } from '../../../../electron/engine/client.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

it('a host that reads the log receives complete lines of the engine’s thread', async () => {
  const lines: string[] = [];
  const host = await startEngine({
    store: { kind: 'file', file: temporaryStoreFile() },
    logLevel: 'warn',
    version: '0.0.0-test',
    writeLog: line => lines.push(line),
  });
  onTestFinished(() => host.stop());
  const { port1: near, port2: far } = new MessageChannel();
  host.attach(far);
  const closed = once(near, 'close');
  near.postMessage('no call');
  await closed;
  await expect.poll(() => lines[0]).toMatch(/^\S+Z warn a port sent an invalid message and was closed.*\n$/);
});
