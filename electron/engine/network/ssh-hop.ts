import type { Duplex } from 'node:stream';
import ssh2, { type Client, type ClientChannel, type ConnectConfig, type ServerHostKeyAlgorithm } from 'ssh2';
import { SandglassError } from '../../../shared/model/errors.ts';
import { formatHost } from '../../../shared/model/transport/server-address.ts';
import type { Clock } from '../platform/clock.ts';
import type { KnownHosts } from './known-hosts.ts';
import type { SshLogin } from './ssh-login.ts';

/** An SSH server on the way. */
export interface Hop {
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A lost network is noticed after the third of these without an answer. */
const KEEP_ALIVE_MS = 10_000;
const UNANSWERED_KEEP_ALIVES = 3;

/**
 * Connects and logs in to an SSH server, over `over` if another one leads to it. Rejects with HOST_KEY_UNKNOWN,
 * HOST_KEY_CHANGED or SSH_REFUSED, and with an error without a code of Sandglass if it cannot be reached.
 */
export function connectHop(
  hop: Hop,
  { login, knownHosts, over }: { login: SshLogin; knownHosts: KnownHosts; over: Duplex | undefined },
): Promise<Client> {
  const { host, port, user } = hop;
  const client = new ssh2.Client();
  const { promise, resolve, reject } = Promise.withResolvers<Client>();
  let refused: unknown;
  client.on('ready', () => {
    // Without it a reply waits for the acknowledgement of the one before: 40 ms.
    client.setNoDelay(true);
    resolve(client);
  });
  // Permanent: an error after the start only ends the connection, which its `close` reports.
  client.on('error', error => reject(refused ?? hopFailure(hop, error)));
  client.on('close', () => reject(refused ?? unreachable(hop, 'it closed the connection')));
  const config: ConnectConfig = {
    host,
    port,
    username: user,
    ...login,
    ...(over === undefined ? {} : { sock: over }),
    algorithms: { serverHostKey: hostKeyAlgorithms(knownHosts.typesOf(host, port)) },
    hostVerifier(key: Buffer) {
      try {
        knownHosts.check(host, port, key);
        return true;
      } catch (error) {
        refused = error;
        return false;
      }
    },
    readyTimeout: CONNECT_TIMEOUT_MS,
    keepaliveInterval: KEEP_ALIVE_MS,
    keepaliveCountMax: UNANSWERED_KEEP_ALIVES,
  };
  try {
    client.connect(config);
  } catch (error) {
    reject(error);
  }
  return promise;
}

/** Opens a connection from an SSH server to `host`. Rejects if that server cannot reach it, or may not. */
export async function openChannel(
  client: Client,
  via: Hop,
  { host, port }: { host: string; port: number },
  clock: Pick<Clock, 'setTimer'>,
): Promise<ClientChannel> {
  const { promise, resolve, reject } = Promise.withResolvers<ClientChannel>();
  const way = `${formatHost({ host, port })} cannot be reached from the SSH server ${formatHost(via)}`;
  let isLate = false;
  const cancel = clock.setTimer(CONNECT_TIMEOUT_MS, () => {
    isLate = true;
    reject(new Error(`${way}: no answer in ${CONNECT_TIMEOUT_MS / 1_000} s`));
  });
  try {
    client.forwardOut('127.0.0.1', 0, host, port, (error, channel) => {
      if (error !== undefined) reject(new Error(`${way}: ${error.message}`));
      else if (isLate) channel.destroy();
      else resolve(channel);
    });
    return await promise;
  } finally {
    cancel();
  }
}

/** Returns all algorithms, those of the known keys first: else the server may show a key that is not listed. */
function hostKeyAlgorithms(known: readonly string[]): ServerHostKeyAlgorithm[] {
  return SUPPORTED.toSorted((a, b) => Number(known.includes(b.type)) - Number(known.includes(a.type))).map(
    ({ algorithm }) => algorithm,
  );
}

/** Algorithms by the type of their key; keys of RSA have two. */
const SUPPORTED: readonly { type: string; algorithm: ServerHostKeyAlgorithm }[] = [
  { type: 'ssh-ed25519', algorithm: 'ssh-ed25519' },
  { type: 'ecdsa-sha2-nistp256', algorithm: 'ecdsa-sha2-nistp256' },
  { type: 'ecdsa-sha2-nistp384', algorithm: 'ecdsa-sha2-nistp384' },
  { type: 'ecdsa-sha2-nistp521', algorithm: 'ecdsa-sha2-nistp521' },
  { type: 'ssh-rsa', algorithm: 'rsa-sha2-512' },
  { type: 'ssh-rsa', algorithm: 'rsa-sha2-256' },
];

function hopFailure(hop: Hop, error: Error & { level?: string }): Error {
  if (error.level !== 'client-authentication') return unreachable(hop, error.message);
  const name = formatHost(hop);
  return new SandglassError(
    'SSH_REFUSED',
    `The SSH server ${name} refuses the user ${hop.user} with this key. Its key must be in authorized_keys there.`,
    { field: 'ssh', host: name },
  );
}

function unreachable(hop: Hop, detail: string): Error {
  return new Error(`The SSH server ${formatHost(hop)} cannot be reached: ${detail}`);
}
