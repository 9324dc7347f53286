import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { batchesOf, uuidV7 } from '../documents.ts';
import { type Figures, perSecond, timed } from '../figures.ts';
import { BATCH, HOUR_MS, type Story } from '../story.ts';

/** Debian installs the server's programs in a folder that is not on the path. */
function serverFolder(): string {
  const versions = '/usr/lib/postgresql';
  const [latest] = existsSync(versions) ? readdirSync(versions).sort().reverse() : [];
  return latest === undefined ? '' : join(versions, latest, 'bin');
}

/** Starts a PostgreSQL with default settings, which are durable. */
async function startPostgres(folder: string): Promise<AsyncDisposable & { client: Client }> {
  const data = join(folder, 'postgres');
  mkdirSync(data);
  const program = (name: string) => join(serverFolder(), name);
  const as = serverUser();
  if (as.uid !== undefined && as.gid !== undefined) {
    chmodSync(folder, 0o755);
    chownSync(data, as.uid, as.gid);
  }
  const words = ['-D', data, '-U', 'bench', '-A', 'trust', '--no-locale', '-E', 'UTF8'];
  const made = spawnSync(program('initdb'), words, { ...as, cwd: data, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const port = 20_000 + ((process.pid + 7_919) % 20_000);
  const settings = [
    '-c',
    `port=${port}`,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${data}`,
  ];
  const child = spawn(program('postgres'), ['-D', data, ...settings], { ...as, cwd: data, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const client = await connect(port);
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.end();
      child.kill('SIGINT');
      await ended;
    },
  };
}

/** PostgreSQL refuses to run as root; Debian's package creates a user for it. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const number = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: number('-u'), gid: number('-g') };
}

async function connect(port: number): Promise<Client> {
  for (let tries = 0; ; tries += 1) {
    const client = new Client({ host: '127.0.0.1', port, user: 'bench', database: 'postgres' });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries > 100) throw error;
      await sleep(100);
    }
  }
}

/** PostgreSQL on loopback: a table with an index on the deadline, drained by one statement, as by a cron job. */
export const postgresLife: Story = async ({ documents, keys, order, seed }, folder): Promise<Figures> => {
  await using server = await startPostgres(folder);
  const { client } = server;
  await client.query(
    'CREATE TABLE documents (id text PRIMARY KEY, deadline bigint NOT NULL, body jsonb NOT NULL)',
  );
  await client.query('CREATE INDEX by_deadline ON documents (deadline)');
  const from = Date.now() - 2 * HOUR_MS;
  let ingestMs = 0;
  for (const batch of batchesOf({ documents, keys, order, from, spanMs: HOUR_MS, seed }, BATCH)) {
    const withKeys = batch.map(document => ({ _id: uuidV7(), ...document }));
    ingestMs += await timed(() =>
      client.query({
        name: 'insert',
        text: 'INSERT INTO documents SELECT * FROM unnest($1::text[], $2::bigint[], $3::jsonb[])',
        values: [
          withKeys.map(({ _id }) => _id),
          withKeys.map(({ e }) => e),
          withKeys.map(document => JSON.stringify(document)),
        ],
      }),
    );
  }
  const size = await client.query("SELECT pg_total_relation_size('documents') AS bytes");
  const groupByMs = await timed(() =>
    client.query(
      'SELECT (deadline - $1) / $2 AS bucket, count(*) FROM documents WHERE deadline BETWEEN $1 AND $3 GROUP BY 1',
      [from, HOUR_MS / 300, from + HOUR_MS],
    ),
  );
  const deleteMs = await timed(() =>
    client.query('DELETE FROM documents WHERE deadline <= $1', [Date.now()]),
  );
  const vacuumMs = await timed(() => client.query('VACUUM documents'));
  return {
    ingestPerSecond: perSecond(documents, ingestMs),
    bytes: Number(size.rows[0]?.bytes ?? Number.NaN),
    groupByMs,
    drainPerSecond: perSecond(documents, deleteMs),
    reclaimPerSecond: perSecond(documents, deleteMs + vacuumMs),
  };
};
