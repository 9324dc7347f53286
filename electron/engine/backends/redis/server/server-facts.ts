import type { CommandConnection } from '../connection/command-connection.ts';
import { refusalOf } from '../connection/redis-failure.ts';
import { listOf, type Reply, textOf } from '../connection/reply.ts';

/** A fact that the server may refuse to a user without the permission; `reason` is its error reply. */
export type Fact<Value> =
  | { readonly is: 'known'; readonly value: Value }
  | { readonly is: 'refused'; readonly reason: string };

export interface DatabaseFacts {
  readonly database: number;
  readonly keys: number;
  readonly withDeadline: number;
}

export interface IdentityFacts {
  readonly version: string;
  /** Changes with every start of the server. */
  readonly runId: string;
  readonly role: 'master' | 'replica';
  /**
   * On a replica: changes when its data is replaced by a copy of its master's, or it loses its master; otherwise empty.
   */
  readonly source: string;
  /** `standalone`, `sentinel` or `cluster`. */
  readonly mode: string;
  /** Valkey and other servers have their name in INFO. */
  readonly name: string;
}

export interface ServerFacts {
  readonly identity: Fact<IdentityFacts>;
  readonly databases: Fact<readonly DatabaseFacts[]>;
  readonly notifyFlags: Fact<string>;
  /** Bytes; 0: no limit. */
  readonly maxMemory: Fact<number>;
  readonly maxMemoryPolicy: Fact<string>;
  /** 1 to 10: share of the CPU that the server spends on looking for expired keys. */
  readonly activeExpireEffort: Fact<number>;
  readonly databaseCount: Fact<number>;
  readonly usedMemory: Fact<number>;
  /** Keys deleted since the server started, to free memory. */
  readonly evictedKeys: Fact<number>;
}

/** Reads each fact; a refused one is part of the answer. Rejects if the connection is lost. */
export async function readServerFacts(connection: CommandConnection): Promise<ServerFacts> {
  const [server, keyspace, replication, memory, stats] = await Promise.all([
    readInfo(connection, 'server'),
    readInfo(connection, 'keyspace'),
    readInfo(connection, 'replication'),
    readInfo(connection, 'memory'),
    readInfo(connection, 'stats'),
  ]);
  const config = (name: string) => readConfig(connection, name);
  return {
    identity: both(server, replication, identityOf),
    databases: mapped(keyspace, databasesOf),
    usedMemory: mapped(memory, info => Number(info.get('used_memory') ?? 0)),
    evictedKeys: mapped(stats, info => Number(info.get('evicted_keys') ?? 0)),
    notifyFlags: await config('notify-keyspace-events'),
    maxMemory: mapped(await config('maxmemory'), Number),
    maxMemoryPolicy: await config('maxmemory-policy'),
    activeExpireEffort: mapped(await config('active-expire-effort'), Number),
    databaseCount: mapped(await config('databases'), Number),
  };
}

/** Returns undefined if the server refuses the fact. */
export function knownValue<Value>(fact: Fact<Value>): Value | undefined {
  return fact.is === 'known' ? fact.value : undefined;
}

/**
 * Returns `Redis 7.0.15` or `Redis Cluster 7.0.15 of 3 masters`; without a version if the server reports none. `masters`
 * is null unless it is a cluster.
 */
export function serverName({ identity }: ServerFacts, masters: number | null): string {
  const { name, version } = knownValue(identity) ?? { name: 'redis', version: '' };
  const kind = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return masters === null
    ? `${kind} ${version}`.trim()
    : `${kind} Cluster ${version} of ${masters} masters`.replace('  ', ' ');
}

/**
 * Reads the identity of the server. It is polled, since a restart or a failover invalidates cursors and subscriptions.
 */
export async function readIdentity(connection: CommandConnection): Promise<Fact<IdentityFacts>> {
  const server = await readInfo(connection, 'server');
  return both(server, await readInfo(connection, 'replication'), identityOf);
}

/** FLUSHALL, FLUSHDB and SWAPDB send no notification: their number of calls is polled instead. */
export async function readSilentChanges(connection: CommandConnection): Promise<Fact<number>> {
  return mapped(await readInfo(connection, 'commandstats'), info =>
    ['flushall', 'flushdb', 'swapdb']
      .map(name => Number(/calls=(\d+)/.exec(info.get(`cmdstat_${name}`) ?? '')?.[1] ?? 0))
      .reduce((sum, calls) => sum + calls, 0),
  );
}

export async function readConfig(connection: CommandConnection, name: string): Promise<Fact<string>> {
  return readFact(async () => {
    const [, value] = listOf(await connection.command('CONFIG', 'GET', name));
    return value === undefined ? '' : textOf(value);
  });
}

async function readInfo(connection: CommandConnection, section: string): Promise<Fact<Map<string, string>>> {
  return readFact(async () => infoFields(await connection.command('INFO', section)));
}

/** Turns a refusal of the server into a fact. */
async function readFact<Value>(read: () => Promise<Value>): Promise<Fact<Value>> {
  try {
    return { is: 'known', value: await read() };
  } catch (error) {
    if (isRefusal(error)) return { is: 'refused', reason: error.message };
    throw error;
  }
}

/** Managed services remove commands such as CONFIG; they reply with an unknown command, not with NOPERM. */
function isRefusal(error: unknown): error is Error {
  return (
    refusalOf(error) === 'NOPERM' ||
    (error instanceof Error && /^ERR unknown (sub)?command/i.test(error.message))
  );
}

function infoFields(reply: Reply): Map<string, string> {
  const lines = textOf(reply)
    .split('\r\n')
    .filter(line => line.includes(':'));
  return new Map(lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

function identityOf(server: Map<string, string>, replication: Map<string, string>): IdentityFacts {
  const isReplica = replication.get('role') === 'slave';
  return {
    version: server.get('valkey_version') ?? server.get('redis_version') ?? 'unknown',
    runId: server.get('run_id') ?? '',
    role: isReplica ? 'replica' : 'master',
    source: isReplica ? `${replication.get('master_replid')} ${replication.get('master_link_status')}` : '',
    mode: server.get('redis_mode') ?? 'standalone',
    name: server.get('server_name') ?? 'redis',
  };
}

function databasesOf(keyspace: Map<string, string>): DatabaseFacts[] {
  return [...keyspace].flatMap(([name, fields]) => {
    const match = /^db(\d+)$/.exec(name);
    const counts = /keys=(\d+),expires=(\d+)/.exec(fields);
    return match === null || counts === null
      ? []
      : [{ database: Number(match[1]), keys: Number(counts[1]), withDeadline: Number(counts[2]) }];
  });
}

function mapped<From, To>(fact: Fact<From>, map: (value: From) => To): Fact<To> {
  return fact.is === 'known' ? { is: 'known', value: map(fact.value) } : fact;
}

function both<A, B, To>(a: Fact<A>, b: Fact<B>, map: (a: A, b: B) => To): Fact<To> {
  if (a.is === 'refused') return a;
  return mapped(b, value => map(a.value, value));
}
