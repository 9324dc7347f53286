/**
 * The engine's worker thread after its start: opens the store, answers on every port it receives, closes the store at
 * the end.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { StandardRPCHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import { z } from 'zod';
import { connection, serverWithSecrets } from '../../shared/contract/connections.ts';
import { SandglassError } from '../../shared/model/errors.ts';
import type { Caller } from './access/caller.ts';
import { router } from './api/router.ts';
import { endUnusedReaderThread } from './backends/embedded/reader-threads.ts';
import { openEngine } from './engine.ts';
import { RESERVE_BYTES } from './files/reserve-file.ts';
import { systemClock } from './platform/clock.ts';
import { createLogger, errorFields, LOG_LEVELS } from './platform/logger.ts';
import { CallCounter } from './protocol/call-counter.ts';
import { answerCalls } from './protocol/call-port.ts';
import { HostConnections } from './protocol/host-connections.ts';
import { SharedClockState, SharedFlag } from './protocol/shared-flags.ts';
import type { FromThread, ToThread } from './protocol/thread-messages.ts';
import type { RemoteEngineOptions } from './remote-engine.ts';
import { LeaderSocket } from './replication/leader-socket.ts';

const options = z
  .object({
    store: z.union([
      z.object({ kind: z.literal('file'), file: z.string(), mustExist: z.boolean().optional() }),
      serverWithSecrets.extend({ mirrorFile: z.string(), isConfined: z.boolean() }),
    ]),
    logLevel: z.enum(LOG_LEVELS),
    user: z.string(),
    version: z.string(),
    endpoint: z.object({ socketPath: z.string().optional(), address: z.string().optional() }),
    follow: z.object({ url: z.string(), token: z.string(), syncTimeoutMs: z.number() }).optional(),
    connections: z.object({ id: z.string(), list: z.array(connection) }).optional(),
    readOnly: z.boolean(),
    folders: z.object({ backups: z.string(), stores: z.string(), secrets: z.string() }).partial().optional(),
    servers: z.array(z.string()).optional(),
    sendsAlerts: z.boolean(),
    calls: z.instanceof(SharedArrayBuffer),
  })
  .parse(workerData);

const log = createLogger(options.logLevel, systemClock.now);
const calls = new CallCounter(options.calls);
/** The caller of each port; `revoked` is set when its token is. */
const ports = new Map<MessagePort, { caller: Caller; revoked: SharedFlag }>();
const clockState = new SharedClockState();

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

async function start(): Promise<void> {
  const { store, follow, readOnly } = options;
  const connections = options.connections && new HostConnections(options.connections, send);
  const leader = follow === undefined ? null : new LeaderSocket(follow);
  const common = {
    clock: systemClock,
    log,
    version: options.version,
    readOnly,
    ...(options.folders === undefined ? {} : { folders: options.folders }),
    ...(options.servers === undefined ? {} : { servers: options.servers }),
  };
  const { engine, stop } =
    store.kind === 'file'
      ? openEngine({
          ...common,
          storeFile: store.file,
          mustExist: store.mustExist === true,
          endpoint: options.endpoint,
          callsWaiting: () => calls.waiting,
          callsArrived: () => calls.arrivals,
          clockState,
          reserveBytes: RESERVE_BYTES,
          ...(connections === undefined ? {} : { connections }),
          ...(follow === undefined || leader === null ? {} : { follow: { ...follow, leader } }),
          ...(options.sendsAlerts ? { onAlerts: active => send({ kind: 'alerts', active }) } : {}),
          onThreadDeath: error => {
            throw error;
          },
        })
      : await openRemote({ ...common, store, connections });
  const desktopUser: Caller = { user: options.user, permission: 'configure', from: 'machine' };
  const handler = new StandardRPCHandler(router, {});
  // Closes the ports of a revoked token: its clients have to reconnect, and are refused [P1].
  const tokens = engine.kind === 'embedded' ? engine.backend.tokens : null;
  tokens?.onRevoke(sha256 => {
    for (const [port, { caller, revoked }] of ports) {
      if (caller.token !== sha256) continue;
      revoked.set();
      port.close();
    }
  });
  parentPort?.on('message', (message: ToThread) => {
    if (message.kind === 'attach') attach(message.port, message.reads, message.caller ?? desktopUser);
    else if (message.kind === 'stop') void end();
    else connections?.receive(message);
  });

  function attach(port: MessagePort, reads: MessagePort | undefined, caller: Caller): void {
    // The token may have been revoked meanwhile. Tokens for a remote store are those of the home store, whose host
    // closes the port.
    if (caller.token !== undefined && tokens?.ownerOf(caller.token) === null) {
      port.close();
      return;
    }
    const revoked = new SharedFlag();
    ports.set(port, { caller, revoked });
    // A mirror has its leader's time, and answers only while it is up to date: the engine's thread knows both.
    if (reads !== undefined && engine.kind === 'embedded' && engine.leaderStatus === null)
      engine.backend.reads.serve(reads, {
        caller,
        revoked: revoked.shared,
        clockState: clockState.shared,
        logLevel: options.logLevel,
      });
    const gone = new AbortController();
    port.on('close', () => {
      ports.delete(port);
      gone.abort();
    });
    answerCalls(
      port,
      createServerPeerHandleRequestFn(handler, { context: { engine, caller, gone: gone.signal } }),
      () => calls.arrived(),
      error => log.warn('a port sent an invalid message and was closed', errorFields(error)),
    );
  }

  async function end(): Promise<void> {
    try {
      // Open ports would keep the thread running; closing them ends their streams.
      for (const port of ports.keys()) port.close();
      await stop();
      await leader?.close();
      send({ kind: 'stopped' });
    } catch (error) {
      log.error('the store did not close cleanly', errorFields(error));
      send({ kind: 'stopped' });
    }
    parentPort?.close();
  }
  send({ kind: 'ready' });
}

/** Loaded on first use: a store in a file does not need it. */
async function openRemote({
  connections,
  ...given
}: Omit<RemoteEngineOptions, 'connections'> & { connections: HostConnections | undefined }) {
  if (connections === undefined) throw new Error('a remote store is opened as a connection of a host');
  const { openRemoteEngine } = await import('./remote-engine.ts');
  return openRemoteEngine({ ...given, connections });
}

try {
  await start();
} catch (error) {
  if (!(error instanceof SandglassError)) throw error;
  send({ kind: 'refused', code: error.code, message: error.message, data: error.data });
  await endUnusedReaderThread();
  parentPort?.close();
}
