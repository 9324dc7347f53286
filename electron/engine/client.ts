import { createInterface } from 'node:readline';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Alert } from '../../shared/contract/alerts.ts';
import { SandglassError } from '../../shared/model/errors.ts';
import type { GivenFolders } from './access/allowed-folders.ts';
import type { Caller } from './access/caller.ts';
import type { AllowedServers } from './access/server-address.ts';
import type { Endpoint } from './files/owner-file.ts';
import { entryUrl } from './platform/entry-url.ts';
import type { LogLevel } from './platform/logger.ts';
import { currentUser } from './platform/paths.ts';
import { CallCounter } from './protocol/call-counter.ts';
import type { ConnectionCall, ConnectionsHost } from './protocol/connection-calls.ts';
import { DirectCalls } from './protocol/direct-calls.ts';
import {
  type FollowedLeader,
  type FromThread,
  type RemoteStoreStart,
  serializeError,
  type ToThread,
} from './protocol/thread-messages.ts';

/** A running engine, for its host. */
export interface EngineHost {
  /**
   * Connects a port of the host to the engine, undecoded, until either side closes. Without a caller: the desktop's
   * user.
   */
  attach(port: MessagePort, caller?: Caller): void;
  /** Closes the store and ends the thread; resolves when both are done. */
  stop(): Promise<void>;
  /** The thread's exit code. */
  readonly exited: Promise<number>;
}

/** A store to open: a file, or a server. `mustExist`: the file was open until now, and is not created if it is missing. */
export type StoreStart = { kind: 'file'; file: string; mustExist?: boolean } | RemoteStoreStart;

export interface EngineStart {
  store: StoreStart;
  logLevel: LogLevel;
  version: string;
  user?: string;
  /** Address for other processes of this machine. */
  endpoint?: Endpoint;
  /** The leader to mirror [V5]. */
  follow?: FollowedLeader;
  /** Id of the store's connection in the host; absent: the only connection. */
  connection?: { id: string; host: ConnectionsHost };
  /** Refuses writes to the store [P2]. */
  readOnly?: boolean;
  /** Folders in which callers from the network name files [P1]; by default the store's folder. */
  folders?: GivenFolders;
  /** Servers that callers from the network may connect to, beside those of this machine [P1]. */
  servers?: AllowedServers;
  /** Receives all active alerts, every ten seconds. */
  onAlerts?: (active: readonly Alert[]) => void;
  /** Receives the log of the engine's threads, in whole lines; absent: standard error of this process. */
  writeLog?: (lines: string) => void;
}

/** MB, by default 192. An ingest takes as much CPU with either; with less, loading the code leaves 4 MB less behind. */
const YOUNG_GENERATION_MB = 12;

/** Starts the engine's thread and opens the store. Rejects with the errors of opening the store. */
export async function startEngine({
  store,
  logLevel,
  version,
  user = currentUser(),
  endpoint = {},
  follow,
  connection,
  readOnly = false,
  folders,
  servers,
  onAlerts,
  writeLog,
}: EngineStart): Promise<EngineHost> {
  const calls = new CallCounter();
  const connections = connection && { id: connection.id, list: connection.host.list };
  const worker = new Worker(entryUrl('./engine-thread.ts', import.meta.url), {
    stderr: writeLog !== undefined,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    workerData: {
      store,
      logLevel,
      version,
      user,
      endpoint,
      follow,
      connections,
      readOnly,
      folders,
      servers,
      sendsAlerts: onAlerts !== undefined,
      calls: calls.shared,
    },
  });
  if (writeLog !== undefined)
    createInterface({ input: worker.stderr }).on('line', line => writeLog(`${line}\n`));
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'alerts') onAlerts?.(message.active);
  });
  const exited = new Promise<number>(resolve => worker.on('exit', resolve));
  if (connection !== undefined) void exited.then(serveConnections(worker, connection));
  await opened(worker);
  // Permanent: an error in the thread ends only the thread, not the process.
  const write = writeLog ?? (line => process.stderr.write(line));
  worker.on('error', error => write(`the engine failed: ${error instanceof Error ? error.stack : error}\n`));

  return {
    exited,
    attach(port, caller) {
      const { port1: near, port2: far } = new MessageChannel();
      const { port1: nearReads, port2: reads } = new MessageChannel();
      worker.postMessage(
        { kind: 'attach', port: far, reads, ...(caller === undefined ? {} : { caller }) } satisfies ToThread,
        [far, reads],
      );
      const toEngine = (message: unknown) => {
        calls.sent();
        near.postMessage(message);
      };
      const direct = new DirectCalls(nearReads, {
        answered: message => port.postMessage(message),
        declined: toEngine,
        ended: () => port.close(),
      });
      port.on('message', message => {
        if (!direct.send(message)) toEngine(message);
      });
      near.on('message', message => port.postMessage(message));
      port.on('close', () => {
        near.close();
        direct.close();
      });
      near.on('close', () => port.close());
    },
    async stop() {
      worker.postMessage({ kind: 'stop' } satisfies ToThread);
      await exited;
    },
  };
}

/** Sends the list of connections to a thread, and answers its calls, until the returned function is called. */
function serveConnections(worker: Worker, { id, host }: NonNullable<EngineStart['connection']>): () => void {
  const send = (message: ToThread) => worker.postMessage(message);
  const answer = async (callId: number, call: ConnectionCall) => {
    try {
      send({ kind: 'answered', id: callId, result: await host.call(call, id) });
    } catch (error) {
      send({ kind: 'answered', id: callId, error: serializeError(error) });
    }
  };
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'call') void answer(message.id, message.call);
  });
  return host.onChange(() => send({ kind: 'connections', list: host.list }));
}

/** Resolves when the store is open; rejects with the error of opening it. */
function opened(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', code => reject(new Error(`the engine ended with code ${code} before it was ready`)));
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'ready') {
        worker.off('error', reject);
        resolve();
      } else if (message.kind === 'refused') {
        reject(new SandglassError(message.code, message.message, message.data));
      }
    });
  });
}
