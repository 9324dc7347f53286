import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import manifest from '../../../package.json' with { type: 'json' };
import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import { HOME_CONNECTION } from '../../../shared/contract/connections.ts';
import type { Client } from '../../../shared/contract/index.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { type EngineHost, startEngine } from '../../engine/client.ts';
import { type Owner, readOwner } from '../../engine/files/owner-file.ts';
import type { Clock } from '../../engine/platform/clock.ts';
import { createLogger } from '../../engine/platform/logger.ts';
import { defaultStoreFile } from '../../engine/platform/paths.ts';
import {
  connectToLocalSocket,
  connectToServedHost,
  type EngineConnection,
} from '../../host/local-socket/socket-client.ts';
import { listenOnLocalSocket, localSocketPath } from '../../host/local-socket/socket-server.ts';
import { EXIT } from '../output/exit-codes.ts';
import { CommandFailed } from '../output/failures.ts';
import type { ParsedArguments } from '../syntax/parsed-arguments.ts';

/** Longest wait for an owner that is starting or stopping. */
const OWNER_TIMEOUT_MS = 5_000;
const POLL_EVERY_MS = 100;

export interface OpenStore {
  readonly client: Client;
  /** The engine: of another process on this machine, of a served host, or of this process. */
  readonly through: 'owner' | 'host' | 'this process';
  /** Resolves with the reason if the connection ends before `close`. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

export interface OpenMode {
  /** Id or name of a connection of the host; by default the one of --connection, else home. */
  connection?: string;
  /** Fails instead of opening the store in this process, which could take it from an owner that is restarting. */
  onlyIfOpen?: boolean;
}

export interface OpenStoreOptions {
  args: ParsedArguments;
  /** Creates a missing file; otherwise that is an error. */
  createsStore: boolean;
  /** Prints a message. */
  notify(line: string): void;
  clock: Clock;
}

/**
 * Opens the store that the options name: on a served host with --url; through its owner if a process on this machine
 * has the file open; otherwise in this process, with its reaper, until `close`.
 */
export async function openStore(
  options: OpenStoreOptions,
  { connection = options.args.text('connection'), ...mode }: OpenMode,
): Promise<OpenStore> {
  const { store: home, reach } = await openHome(options, mode);
  return connection === undefined ? home : openConnection(home, connection, reach);
}

/** Connects to a connection of the host by id; null: the store is open in this process, which has no other. */
type Reach = ((id: string) => Promise<EngineConnection>) | null;

interface OpenHome {
  store: OpenStore;
  reach: Reach;
}

/**
 * Connects to a connection of a host, by id or name, and closes the one to home. Throws CommandFailed if there is none,
 * or if it is not open.
 */
async function openConnection(home: OpenStore, wanted: string, reach: Reach): Promise<OpenStore> {
  const found = await findConnection(home.client, wanted).catch(async (error: unknown) => {
    await home.close();
    throw error;
  });
  if (found.id === HOME_CONNECTION || reach === null) return home;
  const connection = await reach(found.id);
  await home.close();
  return overConnection(connection, home.through);
}

async function findConnection(client: Client, wanted: string): Promise<ConnectionRecord> {
  const list = await client.connections.list();
  const named = list.filter(({ name }) => name === wanted);
  const found = list.find(({ id }) => id === wanted) ?? named[0];
  if (found === undefined || named.length > 1) {
    const problem = found === undefined ? 'There is no' : 'There is more than one';
    const known = list.map(({ id, name }) => `${id} (${name})`).join(', ');
    throw new CommandFailed(
      EXIT.notFound,
      `${problem} connection ${wanted} in the Sandglass that has the store open. It has ${known}.`,
      { connection: wanted },
    );
  }
  if (found.state.is === 'open') return found;
  const reason = found.state.is === 'failed' ? `not open: ${found.state.message}` : `${found.state.is}.`;
  throw new CommandFailed(EXIT.unreachable, `The connection ${found.name} is ${reason}`, {
    connection: found.id,
  });
}

async function openHome(
  { args, createsStore, notify, clock }: OpenStoreOptions,
  { onlyIfOpen = false }: OpenMode,
): Promise<OpenHome> {
  const url = args.text('url');
  if (url !== undefined) return connectToHost(args, url);
  const file = resolve(args.text('store') ?? defaultStoreFile());
  if (!createsStore && !existsSync(file)) {
    throw new CommandFailed(
      EXIT.notFound,
      `There is no store at ${file}. Name another one with --store, or create one with \`sandglass import\` or \`sandglass serve\`.`,
      { file },
    );
  }
  const stopAt = clock.elapsed() + OWNER_TIMEOUT_MS;
  for (;;) {
    const owner = readOwner(file);
    const path = owner?.socketPath;
    const connection =
      path === undefined ? undefined : await connectToLocalSocket(path).catch(undefinedWhereGone);
    if (path !== undefined && connection !== undefined)
      return { store: overConnection(connection, 'owner'), reach: id => connectToLocalSocket(path, id) };
    if (onlyIfOpen)
      throw new CommandFailed(EXIT.unreachable, `No running Sandglass has ${file} open.`, { file });
    try {
      return { store: await openInThisProcess(file, notify, clock), reach: null };
    } catch (error) {
      const isTaken = error instanceof SandglassError && error.code === 'STORE_IN_USE';
      if (!isTaken || clock.elapsed() > stopAt || hasNoSocket(readOwner(file), owner)) throw error;
    }
    await clock.sleep(POLL_EVERY_MS);
  }
}

/** Returns whether the same running owner still names no socket: it will not name one later. */
function hasNoSocket(now: Owner | null, before: Owner | null): boolean {
  return now !== null && now.socketPath === undefined && now.pid === before?.pid;
}

/** Rethrows, unless no process listens on the socket: its owner is starting or has ended. */
function undefinedWhereGone(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
  throw error;
}

async function connectToHost(args: ParsedArguments, text: string): Promise<OpenHome> {
  if (args.has('store')) throw args.wrong('--store and --url exclude each other.');
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw args.wrong(`--url must be an address like http://server:7263/, not “${text}”.`);
  const inUrl = /^#token=(.+)$/.exec(new URL(text).hash)?.[1];
  const token = args.text('token') ?? inUrl ?? process.env.SANDGLASS_TOKEN;
  if (token === undefined || token === '')
    throw args.wrong('A served host requires a token: give --token, or set SANDGLASS_TOKEN.');
  const connection = await connectToServedHost(text, token);
  const refused = connection.closed.then(ending => {
    throw ending === 'token refused'
      ? new CommandFailed(
          EXIT.refused,
          `${new URL(text).origin} refuses this token: it is unknown or was revoked.`,
        )
      : new CommandFailed(EXIT.unreachable, `${new URL(text).origin} closed the connection.`);
  });
  refused.catch(() => {});
  // The token is accepted once the first call is answered.
  await Promise.race([connection.client.store.info(), refused]);
  return {
    store: overConnection(connection, 'host'),
    reach: id => connectToServedHost(text, token, id),
  };
}

function overConnection(
  { client, closed, close }: EngineConnection,
  through: OpenStore['through'],
): OpenStore {
  const ended = closed.then(ending =>
    ending === 'token refused'
      ? 'its token was revoked'
      : 'the process that has the store open stopped or restarted',
  );
  return { client, through, ended, close: async () => close() };
}

async function openInThisProcess(
  file: string,
  notify: (line: string) => void,
  clock: Clock,
): Promise<OpenStore> {
  const log = createLogger('warn', clock.now);
  const socketPath = localSocketPath(log);
  const engine = await startEngine({
    store: { kind: 'file', file },
    logLevel: 'warn',
    version: manifest.version,
    endpoint: { socketPath },
  });
  notify(
    `No other process has ${file} open: it is open in this command, and its reaper runs until the command ends.`,
  );
  const attach = (port: MessagePort) => {
    engine.attach(port);
    return true;
  };
  const socket =
    socketPath === undefined
      ? undefined
      : await listenOnLocalSocket({ path: socketPath, attach, clock, log });
  const { port1: near, port2: far } = new MessageChannel();
  engine.attach(far);
  near.start();
  return {
    client: createORPCClient(new RPCLink({ port: near })),
    through: 'this process',
    ended: exitReason(engine),
    async close() {
      near.close();
      await socket?.[Symbol.asyncDispose]();
      await engine.stop();
    },
  };
}

async function exitReason({ exited }: EngineHost): Promise<string> {
  return `the engine ended with code ${await exited}`;
}
