import { randomUUID } from 'node:crypto';
import { EtcdClient } from '../../electron/engine/backends/etcd/connection/etcd-client.ts';
import { parseEtcdUri } from '../../electron/engine/backends/etcd/connection/etcd-uri.ts';
import { putReply } from '../../electron/engine/backends/etcd/connection/replies.ts';
import { grantLease } from '../../electron/engine/backends/etcd/leases/lease-calls.ts';
import type { CommandConnection } from '../../electron/engine/backends/redis/connection/command-connection.ts';
import { RedisConnection } from '../../electron/engine/backends/redis/connection/redis-connection.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import type { ServerTarget } from '../../shared/contract/connections.ts';
import type { Client } from '../../shared/contract/index.ts';
import { createEtcdServer, NEEDS_ETCD } from '../support/etcd-server.ts';
import { NEEDS_POSTGRES } from '../support/postgres.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { connectAs } from '../support/postgres-sessions.ts';
import { directNetwork, serverTarget, silentLog } from '../support/redis-connection.ts';
import { NEEDS_REDIS, startRedisServer } from '../support/redis-server.ts';

/** A record as an application writes it. */
export interface Written {
  /** Part of the id, in the order of the ids. */
  readonly n: string;
  /** Time to live, s; null: it never expires. */
  readonly ttl: number | null;
}

/** A running engine, with the calls of an application. */
export interface RunningEngine {
  /** Null: the home store of the host. */
  readonly target: ServerTarget | null;
  /** Returns the collection's name in the API. `name` is lower-case letters. */
  collection(name: string): string;
  /** Returns the `_id` in the API. */
  id(name: string, n: string): string;
  /** Writes records of a collection, past Sandglass; `home` is a client of the home store. */
  write(home: Client, name: string, records: readonly Written[]): Promise<void>;
  stop(): Promise<void>;
}

export interface TestedEngine {
  readonly name: string;
  /** Reason why the engine does not run on this machine. */
  readonly missing: string | undefined;
  /** Each record has a deadline of its own; false: a TTL index over its column gives it. */
  readonly documentsHaveDeadlines: boolean;
  /** The ids of what has left are kept, and listed with its lag. */
  readonly listsExpired: boolean;
  /** Difference of a deadline read from the API to the one that was set, ms, at most. */
  readonly precisionMs: number;
  start(): Promise<RunningEngine>;
}

const embedded: TestedEngine = {
  name: 'Sandglass’s own store',
  missing: undefined,
  documentsHaveDeadlines: true,
  listsExpired: true,
  precisionMs: 1_000,
  start: async () => ({
    target: null,
    collection: name => name,
    id: (_name, n) => n,
    async write(home, name, records) {
      const body = records.map(({ n }) => ({ _id: n, value: n }));
      await home.collections.create({ name });
      await home.documents.write({ params: { collection: name }, body });
      for (const { n, ttl } of records) {
        if (ttl === null) continue;
        await home.documents.setExpiration({ params: { collection: name, id: n }, body: { after: ttl } });
      }
    },
    stop: async () => {},
  }),
};

const redis: TestedEngine = {
  name: 'Redis',
  missing: NEEDS_REDIS,
  documentsHaveDeadlines: true,
  listsExpired: true,
  precisionMs: 1_000,
  async start() {
    const server = await startRedisServer('--notify-keyspace-events', 'KEA');
    const connection = await RedisConnection.open({
      target: serverTarget(server.uri),
      log: silentLog,
      network: directNetwork,
      name: 'application',
    });
    return redisEngine(server.uri, connection, async () => {
      connection.close();
      await server.stop();
    });
  },
};

/** A running Redis of any deployment, with an application's connection to it. */
export function redisEngine(
  uri: string,
  application: CommandConnection,
  stop: () => Promise<void>,
): RunningEngine {
  return {
    target: { kind: 'redis', uri },
    collection: name => name,
    id: (name, n) => `${name}:${n}`,
    async write(_home, name, records) {
      for (const { n, ttl } of records) {
        const expiry = ttl === null ? [] : ['PX', String(ttl * 1_000)];
        await application.command('SET', `${name}:${n}`, n, ...expiry);
      }
    },
    stop,
  };
}

const etcd: TestedEngine = {
  name: 'etcd',
  missing: NEEDS_ETCD,
  documentsHaveDeadlines: true,
  listsExpired: true,
  // Leases end at whole seconds, and are measured in whole seconds.
  precisionMs: 3_000,
  async start() {
    const { server, stop } = await createEtcdServer();
    await server.start();
    const client = new EtcdClient({ target: parseEtcdUri(server.uri), clock: systemClock, log: silentLog });
    const encode = (text: string) => Buffer.from(text).toString('base64');
    // Collections are the next part of the path below what all keys share.
    for (const other of ['zz-one/key', 'zz-two/key'])
      await client.call('kv/put', { key: encode(other), value: encode('v'), lease: '0' }, putReply);
    return {
      target: { kind: 'etcd', uri: server.uri },
      collection: name => name,
      id: (name, n) => `${name}/${n}`,
      async write(_home, name, records) {
        for (const { n, ttl } of records) {
          const lease = ttl === null ? '0' : (await grantLease(client, systemClock, ttl)).id;
          await client.call('kv/put', { key: encode(`${name}/${n}`), value: encode(n), lease }, putReply);
        }
      },
      async stop() {
        client.close();
        await stop();
      },
    };
  },
};

const postgresql: TestedEngine = {
  name: 'PostgreSQL',
  missing: NEEDS_POSTGRES,
  documentsHaveDeadlines: false,
  listsExpired: true,
  precisionMs: 1_000,
  async start() {
    const server = await startPostgresServer();
    const database = `contract_${randomUUID().replaceAll('-', '')}`;
    const admin = await connectAs(server.uri, 'administration');
    await admin.query(`CREATE DATABASE ${database}`);
    await admin.close();
    const uri = server.uri.replace(/\/postgres$/, `/${database}`);
    const session = await connectAs(uri, 'application');
    return {
      target: { kind: 'postgresql', uri },
      collection: name => name,
      id: (_name, n) => n,
      async write(_home, name, records) {
        await session.query(
          `CREATE TABLE IF NOT EXISTS ${name} (id text PRIMARY KEY, value text, expires_at timestamptz)`,
        );
        for (const { n, ttl } of records) {
          await session.query(
            `INSERT INTO ${name} VALUES ($1, $1, now() + make_interval(secs => $2::double precision))`,
            [n, ttl],
          );
        }
        // An idle session gives its statistics to the server after 10 s only.
        await session.query('SELECT pg_stat_force_next_flush()');
      },
      async stop() {
        await session.close();
        await server.stop();
      },
    };
  },
};

export const ENGINES: readonly TestedEngine[] = [embedded, redis, etcd, postgresql];
