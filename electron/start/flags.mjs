// The flags of `npm start`, in one table: parsing, checking and `--help` all read it. Plain JavaScript, because
// the launcher needs it on a Node that cannot yet read our TypeScript.

import { isIP } from 'node:net';

/** Tried when no port is asked for, so that an address and what a browser keeps for it last; else any free one. */
export const USUAL_PORT = 7263;

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

/**
 * @typedef {object} Flags
 * @property {boolean} serve Never Electron.
 * @property {boolean} open Open a window.
 * @property {number | undefined} port 0 = any; undefined = the usual one, or any.
 * @property {string} host
 * @property {string | undefined} store
 * @property {string[]} publicUrls Addresses at which people and proxies reach the served host.
 * @property {string[]} trustedProxies Networks whose forwarded headers are believed.
 * @property {string | undefined} tlsCert
 * @property {string | undefined} tlsKey
 * @property {boolean} insecure Listen beyond this machine in the clear.
 * @property {string | undefined} tokenFile
 * @property {string | undefined} backupDir Where callers from the network write backups [P1].
 * @property {string | undefined} storesDir Where callers from the network connect stores [P1].
 * @property {string | undefined} follow Address of the leader to mirror [V5].
 * @property {string | undefined} followTokenFile
 * @property {number} syncTimeout Seconds without word from the leader, after which reads are refused.
 * @property {'debug' | 'info' | 'warn' | 'error' | 'silent'} logLevel
 * @property {boolean} help
 */

/**
 * @typedef {object} Flag
 * @property {string} [value] What stands for its value in the help; without it the flag takes none.
 * @property {string} help
 * @property {(flags: Flags, value: string) => string | undefined} apply Answers what is wrong with the value.
 */

/** @type {Record<string, Flag>} */
const TABLE = {
  '--serve': {
    help: 'never Electron: the app in a browser window, served from this machine',
    apply: flags => void Object.assign(flags, { serve: true }),
  },
  '--no-open': {
    help: 'open no window, only print the address (implies --serve)',
    apply: flags => void Object.assign(flags, { serve: true, open: false }),
  },
  '--port': {
    value: 'N',
    help: `port to listen on; 0 = any free one (default: ${USUAL_PORT}, or any if that is taken)`,
    apply: (flags, value) => {
      const port = /^[0-9]{1,5}$/.test(value) ? Number(value) : Number.NaN;
      if (!(port <= 65535)) return 'is a number from 0 to 65535';
      flags.port = port;
    },
  },
  '--host': {
    value: 'ADDRESS',
    help: 'address to listen on (default: 127.0.0.1, this machine only)',
    apply: (flags, value) => {
      if (!/^[A-Za-z0-9.:_-]+$/.test(value)) return 'is a host name or an IP address';
      flags.host = value;
    },
  },
  '--store': {
    value: 'FILE',
    help: 'the store to open; made where there is none (default: in your data folder)',
    apply: (flags, value) => void Object.assign(flags, { store: value }),
  },
  '--public-url': {
    value: 'URL',
    help: 'an address at which people or a proxy reach it, as https://ttl.example.com; several times for several',
    apply: (flags, value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
      if (!isOrigin) return 'is an address without a path, like https://ttl.example.com';
      flags.publicUrls.push(value);
    },
  },
  '--trusted-proxy': {
    value: 'CIDR',
    help: 'a network of proxies whose X-Forwarded headers are believed, as 10.0.0.0/8; several times for several',
    apply: (flags, value) => {
      if (!isNetwork(value)) return 'is an address or a network like 10.0.0.0/8';
      flags.trustedProxies.push(value);
    },
  },
  '--tls-cert': {
    value: 'FILE',
    help: 'speak TLS with this certificate (PEM, with its chain); needs --tls-key',
    apply: (flags, value) => void Object.assign(flags, { tlsCert: value }),
  },
  '--tls-key': {
    value: 'FILE',
    help: 'the private key of --tls-cert (PEM)',
    apply: (flags, value) => void Object.assign(flags, { tlsKey: value }),
  },
  '--insecure': {
    help: 'listen beyond this machine without TLS: the token and all data are readable on the network',
    apply: flags => void Object.assign(flags, { insecure: true }),
  },
  '--backup-dir': {
    value: 'FOLDER',
    help: 'where backups that are asked for over the network are written (default: beside the store)',
    apply: (flags, value) => void Object.assign(flags, { backupDir: value }),
  },
  '--stores-dir': {
    value: 'FOLDER',
    help: 'whose stores may be connected over the network (default: beside the store)',
    apply: (flags, value) => void Object.assign(flags, { storesDir: value }),
  },
  '--token-file': {
    value: 'FILE',
    help: 'keep the access token in this file, readable by you only, and use the one that is there',
    apply: (flags, value) => void Object.assign(flags, { tokenFile: value }),
  },
  '--follow': {
    value: 'URL',
    help: 'mirror the store that is served there, read-only, in a file of its own (implies --serve)',
    apply: (flags, value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      if (url === undefined || !/^https?:$/.test(url.protocol))
        return 'is an address like http://server:7263';
      // Everybody on the machine can read the words that a process was started with.
      if (url.hash !== '')
        return 'takes no token in the address; put it into a file for --follow-token-file, or into $SANDGLASS_FOLLOW_TOKEN';
      Object.assign(flags, { serve: true, follow: `${url.origin}${url.pathname}` });
    },
  },
  '--follow-token-file': {
    value: 'FILE',
    help: 'the file that holds the leader’s token, one with the permission follow (default: $SANDGLASS_FOLLOW_TOKEN)',
    apply: (flags, value) => void Object.assign(flags, { followTokenFile: value }),
  },
  '--sync-timeout': {
    value: 'SECONDS',
    help: 'how long a mirror answers without word from its leader (default: 10)',
    apply: (flags, value) => {
      const seconds = /^[0-9]{1,7}(\.[0-9]+)?$/.test(value) ? Number(value) : Number.NaN;
      if (!(seconds >= 0.5 && seconds <= 86_400)) return 'is a number of seconds from 0.5 to 86400';
      flags.syncTimeout = seconds;
    },
  },
  '--log-level': {
    value: 'LEVEL',
    help: `${LOG_LEVELS.join(', ')} (default: info)`,
    apply: (flags, value) => {
      if (!LOG_LEVELS.includes(value)) return `is one of ${LOG_LEVELS.join(', ')}`;
      Object.assign(flags, { logLevel: value });
    },
  },
  '--help': {
    help: 'show this',
    apply: flags => void Object.assign(flags, { help: true }),
  },
};

/**
 * @param {string} text
 * @returns {boolean} Whether it is an address, alone or with the length of its network's prefix.
 */
function isNetwork(text) {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[0-9]{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128);
}

/**
 * Reads the words after `npm start --`. Both `--port 8080` and `--port=8080` are understood.
 * @param {readonly string[]} words
 * @returns {{ flags: Flags, problem?: undefined } | { problem: string, flags?: undefined }}
 */
export function parseFlags(words) {
  /** @type {Flags} */
  const flags = {
    serve: false,
    open: true,
    port: undefined,
    host: '127.0.0.1',
    store: undefined,
    publicUrls: [],
    trustedProxies: [],
    tlsCert: undefined,
    tlsKey: undefined,
    insecure: false,
    tokenFile: undefined,
    backupDir: undefined,
    storesDir: undefined,
    follow: undefined,
    followTokenFile: undefined,
    syncTimeout: 10,
    logLevel: 'info',
    help: false,
  };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const name = equals < 0 ? word : word.slice(0, equals);
    const flag = Object.hasOwn(TABLE, name) ? TABLE[name] : undefined;
    if (flag === undefined) {
      return { problem: word.startsWith('-') ? `There is no flag ${name}.` : `“${word}” is no flag.` };
    }
    if (flag.value === undefined && equals >= 0) return { problem: `${name} takes no value.` };
    const value = flag.value === undefined ? '' : equals < 0 ? rest.shift() : word.slice(equals + 1);
    if (value === undefined || (flag.value !== undefined && value === '')) {
      return { problem: `${name} needs a value: ${name} ${flag.value}.` };
    }
    const problem = flag.apply(flags, value);
    if (problem !== undefined) {
      // A token is not repeated on a screen or in a log.
      const isOfToken = problem.includes('token');
      return { problem: `${name} ${problem}${isOfToken ? '.' : `; “${value}” is not.`}` };
    }
  }
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined))
    return { problem: '--tls-cert and --tls-key belong together.' };
  return { flags };
}

/** The text of `--help`. */
export function helpText() {
  const rows = Object.entries(TABLE).map(([name, flag]) => ({
    usage: flag.value === undefined ? name : `${name} ${flag.value}`,
    help: flag.help,
  }));
  const width = Math.max(...rows.map(row => row.usage.length));
  const lines = rows.map(row => `  ${row.usage.padEnd(width)}  ${row.help}`);
  return `Sandglass, the studio for data that expires.\n\nnpm start -- [flags]\n\n${lines.join('\n')}\n`;
}
