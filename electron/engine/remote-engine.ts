import { dirname } from 'node:path';
import type { GivenFolders } from './access/allowed-folders.ts';
import { AuditLog } from './access/audit-log.ts';
import { CallerSlots } from './access/caller-concurrency-limit.ts';
import { type AllowedServers, serverCheck } from './access/server-address.ts';
import type { RemoteEngine } from './api/context.ts';
import { GovernedTtlIndexes } from './api/definitions/governed-ttl-indexes.ts';
import { GovernedReaperCalls } from './api/removal/governed-reaper-calls.ts';
import type { RemoteBackend } from './backends/backend.ts';
import { SCANS_OF_TOKENS } from './engine.ts';
import { MeterRegistry } from './expiry/meters.ts';
import { ChangeFeed } from './feeds/change-feed.ts';
import { ExpectedPolicyFile } from './files/expected-policy-file.ts';
import { BulkChanges } from './jobs/bulk-changes.ts';
import { remoteImport } from './jobs/import-target.ts';
import { Imports } from './jobs/imports.ts';
import { JobRegistry } from './jobs/job-registry.ts';
import { MinuteRecorder } from './monitoring/minute-recorder.ts';
import { ServerNetwork } from './network/server-network.ts';
import type { Clock } from './platform/clock.ts';
import { errorFields, type Logger } from './platform/logger.ts';
import type { Connections } from './protocol/connection-calls.ts';
import type { RemoteStoreStart } from './protocol/thread-messages.ts';

export interface RemoteEngineOptions {
  store: RemoteStoreStart;
  clock: Clock;
  log: Logger;
  version: string;
  connections: Connections;
  readOnly: boolean;
  folders?: GivenFolders;
  servers?: AllowedServers;
}

/**
 * Opens a remote store and its services. An unreachable server is no failure: the last state of its mirror is shown
 * until the server can be reached. Throws INVALID_CONNECTION, SECRET_REQUIRED, PERMISSION_DENIED for permanent errors.
 */
export async function openRemoteEngine(
  options: RemoteEngineOptions,
): Promise<{ engine: RemoteEngine; stop(): Promise<void> }> {
  const { store, clock, log, version, connections, readOnly } = options;
  const feed = new ChangeFeed();
  const meters = new MeterRegistry();
  const network = new ServerNetwork({
    target: store,
    secrets: store,
    check: store.isConfined ? serverCheck(store, options.servers ?? []) : undefined,
    clock,
    log,
  });
  const backend = await openBackend(options, network, meters).catch((error: unknown) => {
    network.close();
    throw error;
  });
  const jobs = new JobRegistry(clock, () => feed.touched());
  const yieldToCalls = () => new Promise<void>(resolve => setImmediate(resolve));
  const bulkChanges = new BulkChanges({ backend, jobs, clock, log, yieldToCalls });
  const imports = new Imports(remoteImport(backend.documentImport, clock), jobs, clock, log, yieldToCalls);
  const minutes =
    backend.minutes === null
      ? null
      : new MinuteRecorder({
          backend: {
            series: backend.minutes,
            reads: {
              summaries: (names, now) => backend.reads.summaries(names, now),
              series: backend.minutes.read,
            },
          },
          meters,
          clock,
          log,
          yieldToCalls,
        });
  minutes?.start();
  const stopListening = backend.onCommit(commit => feed.committed(commit));
  const stopWatching = backend.onRemoteChange(() => feed.touched());
  const stopHearing = connections.onChange(() => feed.touched());
  const folder = dirname(store.mirrorFile);
  const calls = { backend, clock, feed, meters };
  return {
    engine: {
      kind: 'remote',
      backend,
      ttlIndexes: new GovernedTtlIndexes(calls),
      reaperCalls: new GovernedReaperCalls(calls),
      minutes,
      jobs,
      scanSlots: {
        page: new CallerSlots(SCANS_OF_TOKENS.page),
        preview: new CallerSlots(SCANS_OF_TOKENS.preview),
      },
      bulkChanges,
      imports,
      feed,
      meters,
      clock,
      log,
      version,
      connections,
      readOnly,
      audit: new AuditLog(store.mirrorFile, clock, log),
      expectedPolicy: new ExpectedPolicyFile(store.mirrorFile),
      folders: {
        backups: options.folders?.backups ?? folder,
        stores: options.folders?.stores ?? folder,
        secrets: options.folders?.secrets,
      },
      servers: options.servers ?? [],
      yieldToCalls,
    },
    async stop() {
      imports.stop();
      await bulkChanges.stop();
      await jobs.stop();
      await minutes?.stop();
      stopListening();
      stopWatching();
      stopHearing();
      await backend.close();
      network.close();
    },
  };
}

async function openBackend(
  { store, clock, log, readOnly, connections }: RemoteEngineOptions,
  network: ServerNetwork,
  meters: MeterRegistry,
): Promise<RemoteBackend> {
  // Loaded on first use: a store in a file needs no database client.
  const options = {
    uri: store.uri,
    secret: store.secret,
    network,
    mirrorFile: store.mirrorFile,
    clock,
    log,
    meters,
    readOnly,
    onListenerError: (error: unknown) => log.error('a listener of commits failed', errorFields(error)),
  };
  switch (store.kind) {
    case 'redis':
      return (await import('./backends/redis/redis-backend.ts')).openRedis(options);
    case 'etcd':
      return (await import('./backends/etcd/etcd-backend.ts')).openEtcd(options);
    case 'postgresql': {
      const { MinuteFile } = await import('./deadline-mirror/minute-file.ts');
      const minutes = new MinuteFile(store.mirrorFile, log);
      const { openByProduct } = await import('./backends/postgresql/open-by-product.ts');
      const onOtherProduct = () => {
        connections.call({ what: 'reopen' }).catch((error: unknown) => {
          log.warn('a connection could not be opened again', errorFields(error));
        });
      };
      return openByProduct({ ...options, minutes, onOtherProduct }).catch((error: unknown) => {
        minutes.close();
        throw error;
      });
    }
  }
}
