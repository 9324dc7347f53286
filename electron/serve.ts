/** Entry of the served host, on plain Node: the engines, a web server, and a window if one can be displayed. */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };
import { SandglassError } from '../shared/model/errors.ts';
import { HOME_CONNECTION } from '../shared/model/transport/connection-id.ts';
import type { GivenFolders } from './engine/access/allowed-folders.ts';
import { randomToken } from './engine/access/random-token.ts';
import { startEngine } from './engine/client.ts';
import { systemClock } from './engine/platform/clock.ts';
import { withoutFormData } from './engine/platform/form-data.ts';
import { createLogger, errorFields } from './engine/platform/logger.ts';
import { dataFolder, defaultStoreFile, mirrorFile } from './engine/platform/paths.ts';
import { ConnectionSecrets } from './host/connection-secrets.ts';
import { HostConnections } from './host/connections.ts';
import { localSockets } from './host/local-socket/socket-servers.ts';
import { findBrowser } from './start/browsers.mjs';
import { DEFAULT_PORT, parseFlags } from './start/flags.mjs';
import { hasDisplay, openAppWindow } from './web/app-window.ts';
import { isLoopback } from './web/authentication/request-origin.ts';
import { tokenInFile } from './web/authentication/token.ts';
import { followedLeader } from './web/engine/followed-leader.ts';
import { runningEngines } from './web/engine/running-engines.ts';
import { listenOptions } from './web/listen-options.ts';
import { startWebServer } from './web/server.ts';
import { stopSignal } from './web/stop-signal.ts';

const OPEN_TO_OTHERS =
  'Warning: other machines can reach this address. The token and all data are sent over the network unencrypted.';

const printError = (line: string) => process.stderr.write(`${line}\n`);

/** Returns the folder of the built renderer, also if this file runs as source. */
function rendererFolder(): string {
  const path = import.meta.url.endsWith('.ts') ? '../dist/renderer/' : '../renderer/';
  return fileURLToPath(new URL(path, import.meta.url));
}

async function serve(argv: readonly string[]): Promise<number> {
  const { flags, problem } = parseFlags(argv);
  if (flags === undefined) {
    printError(problem);
    return 2;
  }
  const log = createLogger(flags.logLevel, systemClock.now);
  process.on('unhandledRejection', error => log.error('unhandled rejection', errorFields(error)));
  const stop = stopSignal(systemClock.elapsed);
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
    const folders = fileFolders(flags, storeFile);
    const connections = new HostConnections({
      home: storeFile,
      isMirror: follow !== undefined,
      start: ({ id, store, readOnly, endpoint }, host) =>
        startEngine({
          store,
          logLevel: flags.logLevel,
          version,
          endpoint,
          readOnly,
          folders,
          servers: flags.allowedServers,
          connection: { id, host },
          ...(follow === undefined || id !== HOME_CONNECTION ? {} : { follow }),
        }),
      secrets: new ConnectionSecrets('served', { environment: process.env, folder: folders.secrets }),
      sockets: localSockets(systemClock, log),
      clock: systemClock,
      log,
    });
    undo.push(() => connections[Symbol.asyncDispose]());
    await connections.opened;

    const { host, port } = flags;
    const web = await startWebServer({
      ...(await listenOptions(flags)),
      engineAt: runningEngines(connections),
      token,
      host,
      port,
      defaultPort: DEFAULT_PORT,
      folder: rendererFolder(),
      version,
      clock: systemClock,
      log,
    });
    undo.push(() => web.close());
    connections.setAddress(web.address);

    if (!isLoopback(host) && flags.insecure) printError(OPEN_TO_OTHERS);
    // A token that was read from a file is not printed: every start would write it into a log.
    process.stdout.write(`Sandglass is at ${web.address}${isNew ? `#token=${token}` : ''}\n`);
    if (!isNew) printError(`Its token is in ${flags.tokenFile}.`);
    connections.openOthers();

    const browser = flags.open && hasDisplay(process.env, process.platform) ? findBrowser() : undefined;
    if (browser !== undefined) {
      const profile = join(dataFolder(), 'window');
      undo.push(await openAppWindow({ browser, address: web.openingAddress(), profile, log }));
    }

    await stop;
    return 0;
  } catch (error) {
    if (!isExpected(error)) throw error;
    printError(error.message);
    return 1;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/**
 * Returns the folders whose files callers from the network may name. By default a backup is written beside its store.
 * Throws INVALID_FILE if there is no such folder.
 */
function fileFolders(
  {
    backupDir,
    storesDir,
    secretsDir,
  }: { backupDir: string | undefined; storesDir: string | undefined; secretsDir: string | undefined },
  storeFile: string,
): GivenFolders {
  return {
    backups: backupDir === undefined ? undefined : folderAt(backupDir),
    stores: storesDir === undefined ? dirname(resolve(storeFile)) : folderAt(storesDir),
    secrets: secretsDir === undefined ? undefined : folderAt(secretsDir),
  };
}

function folderAt(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return resolve(path);
  throw new SandglassError('INVALID_FILE', `There is no folder ${path}. Create it first.`, { file: path });
}

/** Returns whether a message without a stack explains the error: a store or port in use, an invalid token file. */
function isExpected(error: unknown): error is Error {
  return error instanceof SandglassError || (error instanceof Error && 'syscall' in error);
}

withoutFormData();
process.exitCode = await serve(process.argv.slice(2));
