import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import manifest from '../../../package.json' with { type: 'json' };
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
import type { Given } from '../syntax/parsed-arguments.ts';

/** An owner that is just starting or stopping gets so long to be one that answers, or gone. */
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 100;

export interface OpenStore {
  readonly client: Client;
  /** Whose engine answers: another process's of this machine, a served host's, or this process's own. */
  readonly through: 'owner' | 'host' | 'here';
  /** Settles with why, should it end before it is closed. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

export interface HowToOpen {
  /** Never here: whoever had it is being started again, and must not find it taken. */
  elsewhere?: boolean;
}

export interface OpenNeeds {
  given: Given;
  /** False: a file that is not there is an error. */
  makes: boolean;
  say(line: string): void;
  clock: Clock;
}

/**
 * The store that the options name. A served host where a URL is given; else whoever has the file open on this
 * machine; else it is opened here, with its reaper, for as long as the command runs.
 */
export async function openStore(
  { given, makes, say, clock }: OpenNeeds,
  { elsewhere = false }: HowToOpen,
): Promise<OpenStore> {
  const url = given.text('url');
  if (url !== undefined) return throughHost(given, url);
  const file = resolve(given.text('store') ?? defaultStoreFile());
  if (!makes && !existsSync(file)) {
    throw new CommandFailed(
      EXIT.notFound,
      `There is no store at ${file}. Name another with --store, or begin one with \`sandglass import\` or \`sandglass serve\`.`,
      { file },
    );
  }
  const stopAt = clock.elapsed() + PATIENCE_MS;
  for (;;) {
    const owner = readOwner(file);
    const connection =
      owner?.socketPath === undefined
        ? undefined
        : await connectToLocalSocket(owner.socketPath).catch(undefinedWhereGone);
    if (connection !== undefined) return overConnection(connection, 'owner');
    if (elsewhere) throw new CommandFailed(EXIT.unreachable, `Nobody has ${file} open.`, { file });
    try {
      return await openHere(file, say, clock);
    } catch (error) {
      const isTaken = error instanceof SandglassError && error.code === 'STORE_IN_USE';
      if (!isTaken || clock.elapsed() > stopAt || hasNoSocket(readOwner(file), owner)) throw error;
    }
    await clock.sleep(LOOK_EVERY_MS);
  }
}

/** A running owner that names no socket will not name one later. */
function hasNoSocket(now: Owner | null, before: Owner | null): boolean {
  return now !== null && now.socketPath === undefined && now.pid === before?.pid;
}

/** Rethrows, unless no process listens on the socket: its owner is starting or has ended. */
function undefinedWhereGone(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
  throw error;
}

async function throughHost(given: Given, text: string): Promise<OpenStore> {
  if (given.has('store')) throw given.wrong('--store and --url name two different stores.');
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw given.wrong(`--url is an address like http://server:7263/; “${text}” is not.`);
  const inUrl = /^#token=(.+)$/.exec(new URL(text).hash)?.[1];
  const token = given.text('token') ?? inUrl ?? process.env.SANDGLASS_TOKEN;
  if (token === undefined || token === '')
    throw given.wrong('A served host asks for a token: give --token, or set SANDGLASS_TOKEN.');
  const connection = await connectToServedHost(text, token);
  const refused = connection.closed.then(ending => {
    throw ending === 'token refused'
      ? new CommandFailed(
          EXIT.refused,
          `${new URL(text).origin} refuses this token: it is not its own, or was revoked.`,
        )
      : new CommandFailed(EXIT.unreachable, `${new URL(text).origin} ended the connection.`);
  });
  refused.catch(() => {});
  // Only the first answer tells that the token was taken.
  await Promise.race([connection.client.store.info(), refused]);
  return overConnection(connection, 'host');
}

function overConnection({ client, closed, close }: EngineConnection, through: 'owner' | 'host'): OpenStore {
  const ended = closed.then(ending =>
    ending === 'token refused' ? 'its token was revoked' : 'whoever has the store open stopped or restarted',
  );
  return { client, through, ended, close: async () => close() };
}

async function openHere(file: string, say: (line: string) => void, clock: Clock): Promise<OpenStore> {
  const log = createLogger('warn', clock.now);
  const socketPath = localSocketPath(log);
  const engine = await startEngine({
    storeFile: file,
    logLevel: 'warn',
    version: manifest.version,
    endpoint: { socketPath },
  });
  say(`Nobody has ${file} open, so it is open here while this command runs, and its reaper works meanwhile.`);
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
    through: 'here',
    ended: whyItEnded(engine),
    async close() {
      near.close();
      await socket?.[Symbol.asyncDispose]();
      await engine.stop();
    },
  };
}

async function whyItEnded({ exited }: EngineHost): Promise<string> {
  return `the engine ended with code ${await exited}`;
}
