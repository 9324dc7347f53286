// The flags of `npm start`, in one table for parsing and `--help`. Plain JavaScript, since the launcher also runs on a
// Node without support for TypeScript.

import { isIP } from 'node:net';

/**
 * The default port; if it is in use, any free one is taken. It is fixed so that addresses and browser storage stay
 * valid.
 */
export const DEFAULT_PORT = 7263;

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

/**
 * @typedef {object} Flags
 * @property {boolean} serve Serve the app instead of opening Electron.
 * @property {boolean} open Open an app window.
 * @property {number | undefined} port 0 = any; undefined = the default port, or any.
 * @property {string} host
 * @property {string | undefined} store
 * @property {string[]} publicUrls Further addresses of the served host.
 * @property {string[]} allowedServers Database servers that callers from the network may connect to [P1].
 * @property {string[]} trustedProxies Networks of proxies whose forwarded headers are trusted.
 * @property {string | undefined} tlsCert
 * @property {string | undefined} tlsKey
 * @property {boolean} insecure Listen beyond this machine without TLS.
 * @property {string | undefined} tokenFile
 * @property {string | undefined} backupDir Where callers from the network write backups [P1].
 * @property {string | undefined} storesDir Where callers from the network connect stores [P1].
 * @property {string | undefined} secretsDir Where callers from the network name keys and certificates [P1].
 * @property {string | undefined} follow Address of the leader to mirror [V5].
 * @property {string | undefined} followTokenFile
 * @property {number} syncTimeout Seconds without a response of the leader after which reads are refused.
 * @property {'debug' | 'info' | 'warn' | 'error' | 'silent'} logLevel
 * @property {boolean} help
 */

/**
 * @typedef {object} Flag
 * @property {string} [value] Placeholder of its value in the help; a flag without it takes none.
 * @property {string} help
 * @property {(flags: Flags, value: string) => string | undefined} apply Returns the error message for an invalid value.
 */

/** @type {Record<string, Flag>} */
const TABLE = {
  '--serve': {
    help: 'serve the app from this machine in a browser window, without Electron',
    apply: flags => void Object.assign(flags, { serve: true }),
  },
  '--no-open': {
    help: 'only print the address, without opening a window (implies --serve)',
    apply: flags => void Object.assign(flags, { serve: true, open: false }),
  },
  '--port': {
    value: 'N',
    help: `port to listen on; 0 = any free port (default: ${DEFAULT_PORT}, or any free port if that is in use)`,
    apply: (flags, value) => {
      const port = /^[0-9]{1,5}$/.test(value) ? Number(value) : Number.NaN;
      if (!(port <= 65535)) return 'must be a number from 0 to 65535';
      flags.port = port;
    },
  },
  '--host': {
    value: 'ADDRESS',
    help: 'address to listen on (default: 127.0.0.1, this machine only)',
    apply: (flags, value) => {
      if (!/^[A-Za-z0-9.:_-]+$/.test(value)) return 'must be a host name or an IP address';
      flags.host = value;
    },
  },
  '--store': {
    value: 'FILE',
    help: 'file of the store, created if missing (default: in your data folder)',
    apply: (flags, value) => void Object.assign(flags, { store: value }),
  },
  '--public-url': {
    value: 'URL',
    help: 'further address of this server, such as https://ttl.example.com; can be repeated',
    apply: (flags, value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
      if (!isOrigin) return 'must be an address without a path, such as https://ttl.example.com';
      flags.publicUrls.push(value);
    },
  },
  '--trusted-proxy': {
    value: 'CIDR',
    help: 'network of proxies whose X-Forwarded headers are trusted, such as 10.0.0.0/8; can be repeated',
    apply: (flags, value) => {
      if (!isNetwork(value)) return 'must be an IP address or a network such as 10.0.0.0/8';
      flags.trustedProxies.push(value);
    },
  },
  '--tls-cert': {
    value: 'FILE',
    help: 'use TLS with this certificate (PEM, with its chain); needs --tls-key',
    apply: (flags, value) => void Object.assign(flags, { tlsCert: value }),
  },
  '--tls-key': {
    value: 'FILE',
    help: 'private key of --tls-cert (PEM)',
    apply: (flags, value) => void Object.assign(flags, { tlsKey: value }),
  },
  '--insecure': {
    help: 'listen beyond this machine without TLS: the token and all data are readable on the network',
    apply: flags => void Object.assign(flags, { insecure: true }),
  },
  '--backup-dir': {
    value: 'FOLDER',
    help: 'folder for backups requested over the network (default: beside the store)',
    apply: (flags, value) => void Object.assign(flags, { backupDir: value }),
  },
  '--stores-dir': {
    value: 'FOLDER',
    help: 'folder of the stores that can be connected over the network (default: beside the store)',
    apply: (flags, value) => void Object.assign(flags, { storesDir: value }),
  },
  '--secrets-dir': {
    value: 'FOLDER',
    help: 'folder of passwords, keys and certificates that connections made over the network may name (default: none)',
    apply: (flags, value) => void Object.assign(flags, { secretsDir: value }),
  },
  '--allow-server': {
    value: 'HOST',
    help: 'database server, as host or host:port, that may be connected over the network, beside those of this machine; can be repeated',
    apply: (flags, value) => {
      if (!/^[A-Za-z0-9.:_[\]-]+$/.test(value))
        return 'must be a host name or address, with or without a port';
      flags.allowedServers.push(value);
    },
  },
  '--token-file': {
    value: 'FILE',
    help: 'file of the access token, created if missing, readable by you only',
    apply: (flags, value) => void Object.assign(flags, { tokenFile: value }),
  },
  '--follow': {
    value: 'URL',
    help: 'mirror the store served at this address, read-only, in a separate file (implies --serve)',
    apply: (flags, value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      if (url === undefined || !/^https?:$/.test(url.protocol))
        return 'must be an address such as http://server:7263';
      // Other users of the machine can read a process's command line.
      if (url.hash !== '')
        return 'must not contain a token; put the token into a file for --follow-token-file, or into $SANDGLASS_FOLLOW_TOKEN';
      Object.assign(flags, { serve: true, follow: `${url.origin}${url.pathname}` });
    },
  },
  '--follow-token-file': {
    value: 'FILE',
    help: 'file of a token of the leader with the permission follow (default: $SANDGLASS_FOLLOW_TOKEN)',
    apply: (flags, value) => void Object.assign(flags, { followTokenFile: value }),
  },
  '--sync-timeout': {
    value: 'SECONDS',
    help: 'time that a mirror answers reads without a response of its leader (default: 10)',
    apply: (flags, value) => {
      const seconds = /^[0-9]{1,7}(\.[0-9]+)?$/.test(value) ? Number(value) : Number.NaN;
      if (!(seconds >= 0.5 && seconds <= 86_400)) return 'must be a number of seconds from 0.5 to 86400';
      flags.syncTimeout = seconds;
    },
  },
  '--log-level': {
    value: 'LEVEL',
    help: `least severity of log lines: ${LOG_LEVELS.join(', ')} (default: info)`,
    apply: (flags, value) => {
      if (!LOG_LEVELS.includes(value)) return `must be one of ${LOG_LEVELS.join(', ')}`;
      Object.assign(flags, { logLevel: value });
    },
  },
  '--help': {
    help: 'show this help',
    apply: flags => void Object.assign(flags, { help: true }),
  },
};

/**
 * @param {string} text
 * @returns {boolean} Whether it is an IP address, with or without a prefix length.
 */
function isNetwork(text) {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[0-9]{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128);
}

/**
 * Parses the words after `npm start --`, in the form `--port 8080` or `--port=8080`.
 * @param {readonly string[]} argv
 * @returns {{ flags: Flags, problem?: undefined } | { problem: string, flags?: undefined }}
 */
export function parseFlags(argv) {
  /** @type {Flags} */
  const flags = {
    serve: false,
    open: true,
    port: undefined,
    host: '127.0.0.1',
    store: undefined,
    publicUrls: [],
    trustedProxies: [],
    allowedServers: [],
    tlsCert: undefined,
    tlsKey: undefined,
    insecure: false,
    tokenFile: undefined,
    backupDir: undefined,
    storesDir: undefined,
    secretsDir: undefined,
    follow: undefined,
    followTokenFile: undefined,
    syncTimeout: 10,
    logLevel: 'info',
    help: false,
  };
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const name = equals < 0 ? word : word.slice(0, equals);
    const flag = Object.hasOwn(TABLE, name) ? TABLE[name] : undefined;
    if (flag === undefined) {
      return { problem: word.startsWith('-') ? `There is no flag ${name}.` : `“${word}” is not a flag.` };
    }
    if (flag.value === undefined && equals >= 0) return { problem: `${name} takes no value.` };
    const value = flag.value === undefined ? '' : equals < 0 ? rest.shift() : word.slice(equals + 1);
    if (value === undefined || (flag.value !== undefined && value === '')) {
      return { problem: `${name} needs a value: ${name} ${flag.value}.` };
    }
    const problem = flag.apply(flags, value);
    if (problem !== undefined) {
      // Omits the value if it may contain a token.
      const hasToken = problem.includes('token');
      return { problem: `${name} ${problem}${hasToken ? '.' : `, not “${value}”.`}` };
    }
  }
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined))
    return { problem: '--tls-cert and --tls-key need each other.' };
  return { flags };
}

/** Returns the text of `--help`. */
export function helpText() {
  const rows = Object.entries(TABLE).map(([name, flag]) => ({
    usage: flag.value === undefined ? name : `${name} ${flag.value}`,
    help: flag.help,
  }));
  const width = Math.max(...rows.map(row => row.usage.length));
  const lines = rows.map(row => `  ${row.usage.padEnd(width)}  ${row.help}`);
  return `Sandglass, the studio for data that expires.\n\nnpm start -- [flags]\n\n${lines.join('\n')}\n`;
}
