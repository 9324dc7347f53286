import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { openEngine } from '../../../electron/engine/engine.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { leaderOverContract } from '../../../electron/engine/replication/leader.ts';
import { clientOf } from '../../support/client.ts';
import type { ToChild } from './account.ts';
import { Session } from './session.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/stores/format-13.sandglass.gz');
/** Larger than a page of the store together with its neighbours, so that few documents make checkpoints run. */
const TEXT = 'x'.repeat(3_000);
/** Texts of a new store: its checkpoint thread starts when the log has 8 MiB. */
const LONG_TEXT = 'x'.repeat(100_000);
const LONG_TEXTS = 90;
const WAIT_MS = 4_000;

type Scenario = (session: Session) => Promise<void>;

const ids = (from: number, count: number) => Array.from({ length: count }, (_, i) => `d${from + i}`);

async function until(met: () => Promise<boolean> | boolean): Promise<void> {
  const end = systemClock.elapsed() + WAIT_MS;
  while (systemClock.elapsed() < end && !(await met())) await systemClock.sleep(20);
}

async function collection(session: Session): Promise<void> {
  await session.call('create', async ({ client }) => {
    const known = await client.collections.list();
    for (const name of ['c', 'long'])
      if (!known.some(one => one.name === name)) await client.collections.create({ name });
  });
  for (let from = 0; from < LONG_TEXTS; from += 9) {
    const body = ids(from, 9).map(_id => ({ _id, text: LONG_TEXT }));
    await session.call('write', ({ client }) =>
      client.documents.write({
        params: { collection: 'long' },
        query: { mode: 'upsert', atomic: true },
        body,
      }),
    );
  }
}

/** Writes documents in parts; `dueAt` null: never. */
async function write(
  session: Session,
  parts: number,
  perPart: number,
  dueAt: number | null,
  from = 0,
): Promise<void> {
  for (let part = 0; part < parts; part++) {
    const some = ids(from + part * perPart, perPart);
    const body = some.map(_id => ({ _id, exp: dueAt, text: TEXT }));
    const answer = await session.call('write', ({ client }) =>
      client.documents.write({ params: { collection: 'c' }, query: { mode: 'upsert', atomic: true }, body }),
    );
    if (answer !== undefined && dueAt === null) session.acknowledged(some);
  }
}

/** Runs work while a reader has a snapshot of the store, as a backup has: no checkpoint can copy what is written then. */
async function whileRead(file: string, work: () => Promise<void>): Promise<void> {
  const reader = beginSnapshot(file);
  try {
    await work();
  } finally {
    reader?.close();
  }
}

/** Returns null if the fault met this reader, or the store has no tables yet: the work runs without it. */
function beginSnapshot(file: string): Sqlite.Database | null {
  if (!existsSync(file)) return null;
  let reader: Sqlite.Database | null = null;
  try {
    reader = new Sqlite(file, { readonly: true });
    reader.exec('BEGIN; SELECT count(*) FROM sqlite_master;');
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
  }
  return reader;
}

async function index(session: Session, retention: number | null = null): Promise<void> {
  await session.call('create index', async ({ client }) => {
    const known = await client.ttlIndexes.list({ collection: 'c' });
    if (known.length > 0) return;
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'exp',
      source: { kind: 'field', field: 'exp', unit: 'milliseconds', expireAfter: 0 },
      ...(retention === null ? {} : { retention }),
    });
  });
}

/** Writes documents that are due soon, and waits until the reaper has removed them. */
async function expire(session: Session, count: number, retention: number | null = null): Promise<void> {
  await collection(session);
  await index(session, retention);
  await write(session, 3, count / 3, systemClock.now() + 50);
  await until(() => session.gone.size >= count);
}

async function job(
  session: Session,
  what: string,
  start: Parameters<Session['call']>[1],
): Promise<string | undefined> {
  const started = await session.call(what, start);
  const id =
    typeof started === 'object' && started !== null && 'id' in started ? String(started.id) : undefined;
  if (id === undefined) return undefined;
  let state: string | undefined;
  await until(async () => {
    const jobs = await session.call('jobs', ({ client }) => client.jobs.list(), 1);
    state = jobs?.find(one => one.id === id)?.state;
    return state !== 'running';
  });
  return state;
}

/** Targets of the faults. Each makes, waits for and acknowledges work as a client does. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  async import(session) {
    await collection(session);
    const started = await session.call('import', ({ engine }) =>
      engine.imports.start(
        {
          collection: 'c',
          create: true,
          format: 'ndjson',
          mode: 'upsert',
          subject: 'torture',
          deadlines: 'none',
        },
        'torture',
      ),
    );
    for (let part = 0; started !== undefined && part < 8; part++) {
      const some = ids(10_000 + part * 60, 60);
      const text = `${some.map(_id => JSON.stringify({ _id, text: TEXT })).join('\n')}\n`;
      const answer = await session.call('append', ({ engine }) => engine.imports.append(started.id, text), 1);
      if (answer === undefined) break;
      session.acknowledged(ids(10_000, answer.committedLines ?? 0));
    }
    await write(session, 4, 60, null);
  },
  async close(session) {
    await collection(session);
    // Enough for a checkpoint, which is still running when the store is closed.
    await write(session, 2, 240, null);
  },
  /** A reader keeps pages in the log, so that the checkpoint thread syncs the part that it copied (`fdatasync`). */
  async 'blocked log'(session) {
    await collection(session);
    for (let part = 0; part < 2; part++) {
      await write(session, 1, 240, null, part * 720);
      await whileRead(session.file, async () => {
        await write(session, 2, 240, null, part * 720 + 240);
        // The engine tries again to copy the pages each second.
        await systemClock.sleep(2_500);
      });
    }
  },
  async drain(session) {
    await expire(session, 300);
  },
  async sweep(session) {
    await collection(session);
    await index(session);
    await session.call('pause', ({ client }) => client.reaper.pause({}));
    await write(session, 4, 100, systemClock.now());
    await session.call('resume', ({ client }) => client.reaper.resume({}));
    await until(() => session.gone.size >= 400);
    await until(
      async () => (await session.call('unswept', ({ engine }) => engine.backend.unswept(), 1)) === 0,
    );
  },
  async build(session) {
    await collection(session);
    await write(session, 4, 60, null);
    await index(session);
    await session.call('build', async ({ engine }) => {
      engine.indexBuilds.startPending();
      await engine.indexBuilds.whenIdle();
    });
  },
  async restore(session) {
    await expire(session, 60, 3_600);
    const gone = [...session.gone];
    session.mayReturn(gone);
    const state = await job(session, 'restore', ({ client }) =>
      client.expired.restore({ what: { collection: 'c' } }),
    );
    if (state === 'done') session.acknowledged(gone);
  },
  async purge(session) {
    await expire(session, 60, 3_600);
    await job(session, 'purge', ({ client }) => client.expired.purge({}));
    await write(session, 2, 60, null);
  },
  async backup(session) {
    await collection(session);
    await write(session, 4, 60, null);
    await job(session, 'backup', ({ client }) => client.store.backup({ file: `${session.file}.backup` }));
    await job(session, 'compact', ({ client }) => client.store.compact());
    await write(session, 2, 60, null);
  },
  async migration(session) {
    await session.call('list', ({ client }) => client.collections.list());
    await collection(session);
  },
  async follower(session) {
    const followed = () => session.call('info', ({ client }) => client.store.info(), 1);
    await until(async () => (await followed())?.leader?.behind === 0);
  },
};

/** Runs a scenario on the store `file`. Returns what was acknowledged. */
export async function runScenario({ scenario: name, file, isAtOnce }: ToChild): Promise<Session['account']> {
  const scenario = SCENARIOS[name];
  if (scenario === undefined) throw new RangeError(`there is no scenario ${name}`);
  if (name === 'migration') writeFileSync(file, gunzipSync(readFileSync(FIXTURE)), { mode: 0o600 });
  const leader = name === 'follower' ? await openLeader(`${file}.leader`) : null;
  const session = new Session(file, isAtOnce, leader?.follow);
  try {
    await scenario(session);
  } finally {
    await session.close();
    await leader?.stop();
  }
  return session.account;
}

/** Opens a store with documents, on another file than the one under faults. */
async function openLeader(storeFile: string) {
  const { engine, stop } = openEngine({
    storeFile,
    clock: systemClock,
    log: createLogger('silent', systemClock.now),
    version: '0.0.0-test',
    callsWaiting: () => 0,
    reads: 'inline',
  });
  const caller = { user: 'torture', permission: 'configure', from: 'machine' } as const;
  const { client, close } = clientOf({ engine, caller });
  await client.collections.create({ name: 'c' });
  const body = ids(0, 200).map(_id => ({ _id, text: TEXT }));
  await client.documents.write({ params: { collection: 'c' }, body });
  return {
    follow: {
      leader: leaderOverContract(client.replication),
      url: 'http://leader.test/',
      syncTimeoutMs: 10_000,
    },
    async stop() {
      close();
      await stop();
    },
  };
}
