import { MessageChannel } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import { type EngineHost, startEngine } from '../../electron/engine/client.ts';
import type { Client } from '../../shared/contract/index.ts';
import { clientOn } from './client.ts';
import { temporaryStoreFile } from './temporary.ts';

/** Starts a real engine on its thread, on the real clock, with a client that reaches it as a window does. */
export async function startTestThread(storeFile = temporaryStoreFile()): Promise<{
  host: EngineHost;
  client: Client;
  connect(): Client;
  storeFile: string;
  stop(): Promise<void>;
}> {
  const host = await startEngine({
    store: { kind: 'file', file: storeFile },
    logLevel: 'warn',
    version: '0.0.0-test',
    user: 'ada',
  });
  const close: (() => void)[] = [];
  function connect(): Client {
    const { port1, port2 } = new MessageChannel();
    host.attach(port2);
    close.push(() => port1.close());
    return clientOn(port1);
  }
  let stopped: Promise<void> | null = null;
  function stop(): Promise<void> {
    for (const one of close.splice(0)) one();
    stopped ??= host.stop();
    return stopped;
  }
  onTestFinished(stop);
  return { host, client: connect(), connect, storeFile, stop };
}
