import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import type { Caller } from '../../electron/engine/access/caller.ts';
import { type EngineHost, startEngine } from '../../electron/engine/client.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import { createLogger } from '../../electron/engine/platform/logger.ts';
import type { ConnectionsHost } from '../../electron/engine/protocol/connection-calls.ts';
import type { StoreStart } from '../../electron/host/connection.ts';
import { Stores } from '../../electron/host/connections.ts';
import { doorsHere } from '../../electron/host/local-socket/socket-servers.ts';
import type { Client } from '../../shared/contract/index.ts';
import { clientOn } from './client.ts';
import { temporaryFolder } from './temporary.ts';

/** Connections of a host, on real threads and files, and clients that reach them as windows do. */
export interface TestStores {
  readonly stores: Stores;
  readonly folder: string;
  /** Connects to the home store if no connection is named. */
  client(connection?: string, caller?: Caller): Client;
  /** Started engines by connection, the latest last. */
  engines(connection: string): readonly EngineHost[];
  readonly complaints: readonly string[];
  stop(): Promise<void>;
}

export async function openTestStores(folder = temporaryFolder()): Promise<TestStores> {
  const complaints: string[] = [];
  const log = createLogger('warn', systemClock.now, line => complaints.push(line));
  const started = new Map<string, EngineHost[]>();
  const start = async ({ id, file, readOnly, whereabouts }: StoreStart, host: ConnectionsHost) => {
    const engine = await startEngine({
      storeFile: file,
      logLevel: 'error',
      version: '0.0.0-test',
      user: 'ada',
      whereabouts,
      readOnly,
      connection: { id, host },
    });
    started.set(id, [...(started.get(id) ?? []), engine]);
    return engine;
  };
  const stores = new Stores({
    home: join(folder, 'home.sandglass'),
    start,
    doors: doorsHere(systemClock, log),
    clock: systemClock,
    log,
  });
  const close: (() => void)[] = [];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    for (const one of close.splice(0)) one();
    stopped ??= stores[Symbol.asyncDispose]();
    return stopped;
  };
  onTestFinished(stop);
  await stores.opened;
  stores.openOthers();
  return {
    stores,
    folder,
    complaints,
    stop,
    engines: connection => started.get(connection) ?? [],
    client(connection, caller) {
      const { port1, port2 } = new MessageChannel();
      stores.attach(port2, caller, connection);
      close.push(() => port1.close());
      return clientOn(port1);
    },
  };
}
