import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseFlags } from '../start/flags.mjs';

export interface DevArguments {
  /** Port of the window's address. */
  port: number;
  storeFile: string;
  tokenFile: string;
  logLevel: string;
  /** Opens Node's inspector on the engine's process and its threads. */
  inspect: boolean;
}

/**
 * Differs from the default port of `npm start`, so that an installed Sandglass and one in development can run at the
 * same time.
 */
const DEV_PORT = 7273;

export const DEV_HELP = `npm run dev [-- FLAGS]

  --port N           port of the window (default: ${DEV_PORT})
  --store FILE       store to open or create (default: .sandglass/dev/store.sandglass)
  --token-file FILE  access token, created if missing (default: .sandglass/dev/token)
  --log-level LEVEL  debug, info, warn, error, silent (default: info)
  --inspect          open Node's inspector on the engine's process
  --help             show this
`;

/** Reads the words after `npm run dev --`. Relative files are resolved against `folder`. */
export function parseDevArguments(
  words: readonly string[],
  root: string,
  folder: string,
): DevArguments | { problem: string } | { help: true } {
  let values: ReturnType<typeof readWords>;
  try {
    values = readWords(words);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const { port, store, 'token-file': tokenFile, 'log-level': logLevel = 'info', inspect, help } = values;
  if (help) return { help };
  // The values have the same form as those of `npm start`.
  const { problem, flags } = parseFlags([
    ...(port === undefined ? [] : ['--port', port]),
    '--log-level',
    logLevel,
  ]);
  if (problem !== undefined) return { problem };
  const own = join(root, '.sandglass', 'dev');
  return {
    port: flags.port ?? DEV_PORT,
    storeFile: store === undefined ? join(own, 'store.sandglass') : resolve(folder, store),
    tokenFile: tokenFile === undefined ? join(own, 'token') : resolve(folder, tokenFile),
    logLevel,
    inspect,
  };
}

function readWords(words: readonly string[]) {
  return parseArgs({
    args: [...words],
    options: {
      port: { type: 'string' },
      store: { type: 'string' },
      'token-file': { type: 'string' },
      'log-level': { type: 'string' },
      inspect: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

/** Words after `node` that start the served host from its sources, reached through the window's server only. */
export function engineWords(serveEntry: string, port: number, dev: DevArguments): string[] {
  const { storeFile, tokenFile, logLevel, inspect } = dev;
  return [
    ...(inspect ? ['--inspect'] : []),
    serveEntry,
    '--no-open',
    '--port',
    String(port),
    '--store',
    storeFile,
    '--token-file',
    tokenFile,
    '--log-level',
    logLevel,
  ];
}
