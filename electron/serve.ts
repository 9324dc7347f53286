/** The app from plain Node: the engine, a web server on this machine, and a window where one can be shown. */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };
import { HOME_CONNECTION } from '../shared/model/connection-id.ts';
import { SandglassError } from '../shared/model/errors.ts';
import type { GivenFolders } from './engine/access/allowed-folders.ts';
import { startEngine } from './engine/client.ts';
import { systemClock } from './engine/platform/clock.ts';
import { createLogger, errorFields } from './engine/platform/logger.ts';
import { dataFolder, defaultStoreFile, mirrorFile } from './engine/platform/paths.ts';
import { HostConnections } from './host/connections.ts';
import { localSockets } from './host/local-socket/socket-servers.ts';
import { findBrowser } from './start/browsers.mjs';
import { parseFlags, USUAL_PORT } from './start/flags.mjs';
import { isLoopback } from './web/access/request-origin.ts';
import { randomToken, tokenInFile } from './web/access/token.ts';
import { hasDisplay, openAppWindow } from './web/app-window.ts';
import { followedLeader } from './web/engine/followed-leader.ts';
import { runningEngines } from './web/engine/running-engines.ts';
import { servedSafely } from './web/listen-options.ts';
import { startWebServer } from './web/server.ts';
import { stopAsked } from './web/stop-signal.ts';

const OPEN_TO_OTHERS =
  'Warning: other machines can reach this address. The token and all data travel over the network unencrypted.';

const say = (line: string) => process.stderr.write(`${line}\n`);

/** Beside the bundle, or two folders up from the sources' point of view. */
function rendererFolder(): string {
  const way = import.meta.url.endsWith('.ts') ? '../dist/renderer/' : '../renderer/';
  return fileURLToPath(new URL(way, import.meta.url));
}

async function serve(words: readonly string[]): Promise<number> {
  const { flags, problem } = parseFlags(words);
  if (flags === undefined) {
    say(problem);
    return 2;
  }
  const log = createLogger(flags.logLevel, systemClock.now);
  process.on('unhandledRejection', error => log.error('nobody waited for this failure', errorFields(error)));
  const stop = stopAsked(systemClock.elapsed);
  const undo: (() => Promise<void> | void)[] = [];
  try {
    const { token, isNew } =
      flags.tokenFile === undefined
        ? { token: randomToken(), isNew: true }
        : await tokenInFile(flags.tokenFile);

    const { follow: leader } = flags;
    const follow = leader === undefined ? undefined : await followedLeader(flags, leader);
    const storeFile = flags.store ?? (leader === undefined ? defaultStoreFile() : mirrorFile(leader));
    const { version } = manifest;
    const folders = servedFolders(flags, storeFile);
    const connections = new HostConnections({
      home: storeFile,
      isMirror: follow !== undefined,
      start: ({ id, file, readOnly, endpoint }, host) =>
        startEngine({
          storeFile: file,
          logLevel: flags.logLevel,
          version,
          endpoint,
          readOnly,
          folders,
          connection: { id, host },
          ...(follow === undefined || id !== HOME_CONNECTION ? {} : { follow }),
        }),
      sockets: localSockets(systemClock, log),
      clock: systemClock,
      log,
    });
    undo.push(() => connections[Symbol.asyncDispose]());
    await connections.opened;

    const { host, port } = flags;
    const web = await startWebServer({
      ...(await servedSafely(flags)),
      engineAt: runningEngines(connections),
      token,
      host,
      port,
      usualPort: USUAL_PORT,
      folder: rendererFolder(),
      version,
      clock: systemClock,
      log,
    });
    undo.push(() => web.close());
    connections.setAddress(web.address);

    if (!isLoopback(host) && flags.insecure) say(OPEN_TO_OTHERS);
    // A lasting token would otherwise stand in the log of every start.
    process.stdout.write(`Sandglass is at ${web.address}${isNew ? `#token=${token}` : ''}\n`);
    if (!isNew) say(`Its token is the one in ${flags.tokenFile}.`);
    connections.openOthers();

    const browser = flags.open && hasDisplay(process.env, process.platform) ? findBrowser() : undefined;
    if (browser !== undefined) {
      const profile = join(dataFolder(), 'window');
      undo.push(await openAppWindow({ browser, address: web.openingAddress(), profile, log }));
    }

    await stop;
    return 0;
  } catch (error) {
    if (!isForAPerson(error)) throw error;
    say(error.message);
    return 1;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/**
 * Where callers from the network name files; a backup of each store lies beside it unless a folder is given. Throws
 * INVALID_FILE for what is no folder.
 */
function servedFolders(
  { backupDir, storesDir }: { backupDir: string | undefined; storesDir: string | undefined },
  storeFile: string,
): GivenFolders {
  return {
    backups: backupDir === undefined ? undefined : folderAt(backupDir),
    stores: storesDir === undefined ? dirname(resolve(storeFile)) : folderAt(storesDir),
  };
}

function folderAt(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return resolve(path);
  throw new SandglassError('INVALID_FILE', `There is no folder ${path}. Make it first.`, { file: path });
}

/** A store in use, a token file that holds none, a port that is taken: no stack helps with these. */
function isForAPerson(error: unknown): error is Error {
  return error instanceof SandglassError || (error instanceof Error && 'syscall' in error);
}

process.exitCode = await serve(process.argv.slice(2));
