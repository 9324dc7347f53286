import { Redis } from 'ioredis';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { formatHost } from '../../../../../shared/model/transport/server-address.ts';
import type { ServerNetwork } from '../../../network/server-network.ts';
import { connectorBy, connectTo } from './network-connector.ts';
import { connectionLost, isConnectionLost, redisFailure, refusalOf } from './redis-failure.ts';
import type { HostAndPort, ServerTarget } from './redis-uri.ts';
import { listOf, type Reply, replyOf, textOf } from './reply.ts';

/** A sentinel that takes longer hangs, or its machine is busy; the next one is asked. */
const REPLY_MS = 2_000;

/**
 * Finds the server of a target: its own address, or the master that its sentinels name. Returns a function for each
 * attempt to connect, which begins with the sentinel that answered last. It rejects with INVALID_CONNECTION if the
 * sentinels have no such master or show another certificate, and with SECRET_REQUIRED or PERMISSION_DENIED if they refuse the connection's password.
 *
 * Not the sentinel client of ioredis: it connects without tunnels and certificates of the connection, and waits without
 * a limit for a sentinel that accepts connections and does not reply.
 */
export function serverFinder(target: ServerTarget, network: ServerNetwork): () => Promise<HostAndPort> {
  const { place } = target;
  if (place.is === 'server') return async () => place;
  let sentinels = [...place.sentinels];
  return async () => {
    const refusals: Error[] = [];
    let lastError = '';
    for (const sentinel of sentinels) {
      try {
        const master = await masterBy(sentinel, place.master, target, network);
        if (master !== null) {
          sentinels = [sentinel, ...sentinels.filter(other => other !== sentinel)];
          return master;
        }
        refusals.push(
          new SandglassError('INVALID_CONNECTION', `The sentinels have no master named ${place.master}.`),
        );
      } catch (error) {
        const failure = redisFailure(error);
        if (!isConnectionLost(failure)) refusals.push(failure);
        lastError = `${formatHost(sentinel)}: ${failure.message}`;
      }
    }
    throw refusals[0] ?? connectionLost(`no sentinel can be reached. Last error: ${lastError}`);
  };
}

/** Returns the address that a sentinel has of a master; null: it has none of that name. */
async function masterBy(
  sentinel: HostAndPort,
  name: string,
  target: ServerTarget,
  network: ServerNetwork,
): Promise<HostAndPort | null> {
  const client = new Redis({
    Connector: connectorBy(() => connectTo(network, sentinel, target.tls)),
    protocol: 2,
    lazyConnect: true,
    connectionName: 'sandglass-sentinels',
    disableClientInfo: true,
    enableReadyCheck: false,
    retryStrategy: null,
    maxRetriesPerRequest: 0,
    commandTimeout: REPLY_MS,
  });
  let connectError: Error | null = null;
  client.on('error', (error: Error) => {
    connectError = error;
  });
  try {
    await client.connect().catch((error: unknown) => {
      throw connectError ?? error;
    });
    const reply = await ask(client, name, target);
    if (reply === null) return null;
    const [host, port] = listOf(reply);
    return { host: textOf(host), port: Number(textOf(port)) };
  } finally {
    client.disconnect();
  }
}

/** Logs in only where a sentinel requires it: many have no password, and refuse one. */
async function ask(client: Redis, name: string, target: ServerTarget): Promise<Reply> {
  const question = async () => replyOf(await client.callBuffer('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name));
  try {
    return await question();
  } catch (error) {
    if (refusalOf(redisFailure(error)) !== 'NOAUTH') throw error;
  }
  await logIn(client, target);
  return question();
}

/** Sentinels have the user and password of the connection, or the same password without a user. */
async function logIn(client: Redis, { user, password }: ServerTarget): Promise<void> {
  if (password === null) {
    throw new SandglassError(
      'SECRET_REQUIRED',
      'The sentinels require a password. Give the connection the password of the sentinels, which has to be that of the servers too.',
      { redis: 'NOAUTH' },
    );
  }
  const logins = user === null ? [[password]] : [[user, password], [password]];
  for (const login of logins) {
    try {
      await client.callBuffer('AUTH', ...login);
      return;
    } catch (error) {
      if (refusalOf(redisFailure(error)) !== 'WRONGPASS') throw error;
    }
  }
  throw new SandglassError(
    'PERMISSION_DENIED',
    'The sentinels refuse the password of this connection. Give sentinels and servers the same password, or connect to the address of the master itself.',
    { redis: 'WRONGPASS' },
  );
}
