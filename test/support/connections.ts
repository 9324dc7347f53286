import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import type { Caller } from '../../electron/engine/access/caller.ts';
import type { AllowedServers } from '../../electron/engine/access/server-address.ts';
import { type EngineHost, startEngine } from '../../electron/engine/client.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import { createLogger } from '../../electron/engine/platform/logger.ts';
import type { ConnectionsHost } from '../../electron/engine/protocol/connection-calls.ts';
import { ConnectionSecrets } from '../../electron/host/connection-secrets.ts';
import { HostConnections, type StoreConnectionStart } from '../../electron/host/connections.ts';
import { localSockets } from '../../electron/host/local-socket/socket-servers.ts';
import type { Client } from '../../shared/contract/index.ts';
import { clientOn } from './client.ts';
import { temporaryFolder } from './temporary.ts';

/** The connections of a host, on real threads and files, and clients that are attached as windows are. */
export interface TestConnections {
  readonly connections: HostConnections;
  readonly folder: string;
  /** Id of the connection, home by default. */
  client(connection?: string, caller?: Caller): Client;
  /** Engines started for a connection, the latest last. */
  engines(connection: string): readonly EngineHost[];
  /** Resolves when a connection is open: a loaded machine opens it after its addition was answered. */
  opened(connection: string): Promise<void>;
  /** Lines of the log, warnings and errors. */
  readonly warnings: readonly string[];
  stop(): Promise<void>;
}

/** Options of the start of a host. */
export interface HostOptions {
  /** Servers for callers from the network; by default only those of this machine [P1]. */
  readonly servers?: AllowedServers;
  /** Folder of files with secrets, keys and certificates. */
  readonly secretsFolder?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Opens the connections of a host for the running test. */
export async function openTestConnections(
  folder = temporaryFolder(),
  options: HostOptions = {},
): Promise<TestConnections> {
  const all = await openConnections(folder, options);
  onTestFinished(all.stop);
  return all;
}

/** Opens the connections of a host, which the caller stops. */
export async function openConnections(
  folder: string,
  { servers = [], secretsFolder, environment = {} }: HostOptions = {},
): Promise<TestConnections> {
  const warnings: string[] = [];
  const log = createLogger('warn', systemClock.now, line => warnings.push(line));
  const started = new Map<string, EngineHost[]>();
  const start = async ({ id, store, readOnly, endpoint }: StoreConnectionStart, host: ConnectionsHost) => {
    const engine = await startEngine({
      store,
      logLevel: 'error',
      version: '0.0.0-test',
      user: 'ada',
      endpoint,
      readOnly,
      servers,
      folders: { secrets: secretsFolder },
      connection: { id, host },
    });
    started.set(id, [...(started.get(id) ?? []), engine]);
    return engine;
  };
  const connections = new HostConnections({
    home: join(folder, 'home.sandglass'),
    start,
    secrets: new ConnectionSecrets('served', { environment, folder: secretsFolder }),
    sockets: localSockets(systemClock, log),
    clock: systemClock,
    log,
  });
  const close: (() => void)[] = [];
  let stopped: Promise<void> | undefined;
  const stopAll = () => {
    for (const one of close.splice(0)) one();
    stopped ??= connections[Symbol.asyncDispose]();
    return stopped;
  };
  await connections.opened;
  connections.openOthers();
  return {
    connections,
    folder,
    warnings,
    stop: stopAll,
    engines: connection => started.get(connection) ?? [],
    opened: id =>
      new Promise(resolve => {
        const check = () => {
          if (connections.list.find(one => one.id === id)?.state.is !== 'open') return;
          stop();
          resolve();
        };
        const stop = connections.onChange(check);
        check();
      }),
    client(connection, caller) {
      const { port1, port2 } = new MessageChannel();
      connections.attach(port2, caller, connection);
      close.push(() => port1.close());
      return clientOn(port1);
    },
  };
}
