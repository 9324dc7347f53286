import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ORPCError } from '@orpc/client';
import { openEngine } from '../../../electron/engine/engine.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import type { Client } from '../../../shared/contract/index.ts';
import { ERROR_STATUS, isErrorCode, SandglassError } from '../../../shared/model/errors.ts';
import { clientOf } from '../../support/client.ts';
import { HOUR, NOON, SECOND } from '../../support/engine.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import type { Random } from '../../support/random.ts';
import { problemOfSentence } from './judge.ts';

const PAGE_BYTES = 4_096;
const DOCUMENTS = 150;
/** Turns of the event loop after which a job has hung. */
const MOST_TURNS = 200_000;
/** Errors that a caller may get for a damaged file. */
const OF_A_FILE = ['STORE_UNREADABLE', 'STORE_TOO_NEW', 'IO_ERROR', 'INVALID_FILE', 'EXPECTATION_FAILED'];

/** Ways to damage the bytes of a file; each returns them. */
const DAMAGES: Readonly<Record<string, (bytes: Buffer, random: Random) => Buffer>> = {
  'flipped bits': (bytes, random) => flipped(bytes, random, 0, bytes.length - 1),
  'flipped bits in the head': (bytes, random) => flipped(bytes, random, 0, 99),
  'flipped bits in the list of tables': (bytes, random) => flipped(bytes, random, 100, PAGE_BYTES - 1),
  'cut files': (bytes, random) => bytes.subarray(0, random.between(0, bytes.length)),
  'files cut at a page': (bytes, random) =>
    bytes.subarray(0, PAGE_BYTES * random.between(0, bytes.length / PAGE_BYTES)),
  'pages of noise': (bytes, random) =>
    pagesOf(bytes, random, page => page.set(page.map(() => random.between(0, 255)))),
  'pages of zeros': (bytes, random) => pagesOf(bytes, random, page => page.fill(0)),
  'pages of another place': (bytes, random) =>
    pagesOf(bytes, random, page =>
      bytes.copy(page, 0, PAGE_BYTES * random.between(0, bytes.length / PAGE_BYTES - 1)),
    ),
};

function flipped(bytes: Buffer, random: Random, from: number, to: number): Buffer {
  for (let left = random.between(1, 8); left > 0; left--) {
    const at = random.between(from, to);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random.between(0, 7)), at);
  }
  return bytes;
}

function pagesOf(bytes: Buffer, random: Random, damage: (page: Buffer) => void): Buffer {
  for (let left = random.between(1, 4); left > 0; left--) {
    const at = PAGE_BYTES * random.between(0, bytes.length / PAGE_BYTES - 1);
    damage(bytes.subarray(at, at + PAGE_BYTES));
  }
  return bytes;
}

interface Opened {
  readonly client: Client;
  stop(): Promise<void>;
}

/** Throws SandglassError. */
function open(file: string, at: number): Opened {
  const clock = createManualClock(at);
  const { engine, stop } = openEngine({
    storeFile: file,
    clock,
    log: createLogger('silent', clock.now),
    version: '0.0.0-test',
    callsWaiting: () => 0,
    reads: 'inline',
  });
  const { client, close } = clientOf({
    engine,
    caller: { user: 'ada', permission: 'configure', from: 'machine' },
  });
  return {
    client,
    stop: async () => {
      close();
      await stop();
    },
  };
}

/** A closed store with documents of two collections, and others that were deleted, as bytes. */
async function sample(folder: string): Promise<Buffer> {
  const file = join(folder, 'sample.sandglass');
  const { client, stop } = open(file, NOON);
  for (const collection of ['sessions', 'notes']) {
    await client.collections.create({ name: collection });
    const body = Array.from({ length: DOCUMENTS }, (_, i) => ({
      _id: `${collection} ${i}`,
      exp: (NOON + HOUR) / SECOND,
      text: 'x'.repeat(100 + 20 * i),
    }));
    await client.documents.write({ params: { collection }, body });
  }
  const gone = Array.from({ length: DOCUMENTS }, (_, i) => ({ _id: `gone ${i}`, text: 'x'.repeat(200) }));
  await client.documents.write({ params: { collection: 'notes' }, body: gone });
  await client.documents.deleteMany({ collection: 'notes', ids: gone.map(({ _id }) => _id) });
  const source = { kind: 'field', field: 'exp', expireAfter: 60 } as const;
  await client.ttlIndexes.create({ collection: 'sessions', name: 'exp', source });
  await ended(client);
  await stop();
  return readFileSync(file);
}

/**
 * Opens, reads, checks and recovers `count` damaged files. Every error must be one of the contract, a check that finds
 * nothing must be right about the number of documents, and nothing deleted may be recovered. Returns the failures.
 */
export async function damageFiles(
  folder: string,
  random: Random,
  count: number,
  add: (damage: string, isRefused: boolean) => void,
): Promise<string[]> {
  const failures: string[] = [];
  // The sample of an earlier round is another one.
  rmSync(join(folder, 'sample.sandglass'), { force: true });
  const whole = await sample(folder);
  const file = join(folder, 'damaged.sandglass');
  for (let i = 0; i < count; i++) {
    const [damage, change] = random.pick(Object.entries(DAMAGES));
    const bytes = change(Buffer.from(whole), random);
    writeFileSync(file, bytes);
    const read = await readDamaged(file);
    add(damage, read.isRefused);
    // The bytes again: an opening repairs what it can, such as an interrupted creation.
    writeFileSync(file, bytes);
    const saved = await recover(file, join(folder, 'recovered.sandglass'));
    for (const problem of [...read.problems, ...saved]) failures.push(`${damage}, file ${i}: ${problem}`);
    for (const name of ['damaged', 'recovered'])
      for (const suffix of ['', '-wal', '-shm', '-journal'])
        rmSync(join(folder, `${name}.sandglass${suffix}`), { force: true });
  }
  return failures;
}

async function readDamaged(file: string): Promise<{ isRefused: boolean; problems: string[] }> {
  const problems: string[] = [];
  let opened: Opened;
  try {
    opened = open(file, NOON);
  } catch (error) {
    const problem = problemOf(error);
    return { isRefused: true, problems: problem === null ? [] : [`opening: ${problem}`] };
  }
  const { client } = opened;
  let isRefused = false;
  const attempt = async <Result>(what: string, call: () => Promise<Result>): Promise<Result | null> => {
    try {
      return await call();
    } catch (error) {
      isRefused = true;
      const problem = problemOf(error);
      if (problem !== null) problems.push(`${what}: ${problem}`);
      return null;
    }
  };
  const collections = await attempt('collections', () => client.collections.list());
  const ids = await attempt('documents', () => everyId(client, collections?.map(({ name }) => name) ?? []));
  await attempt('indexes', () => client.ttlIndexes.list({ collection: 'sessions' }));
  await attempt('a write', () =>
    client.documents.write({ params: { collection: 'notes' }, body: { _id: 'new' } }),
  );
  await attempt('its deletion', () => client.documents.delete({ collection: 'notes', id: 'new' }));
  await attempt('the check', () => client.store.check());
  const check = (await ended(client)).find(({ kind }) => kind === 'check');
  if (check?.state === 'failed') {
    isRefused = true;
    const wrong = check.error === null ? 'no reason' : sentence(check.error);
    if (wrong !== null) problems.push(`the check: ${wrong}`);
  }
  if (check?.state === 'done' && collections !== null && ids !== null) {
    const told = collections.reduce((sum, { documents }) => sum + documents, 0);
    if (told !== ids.length)
      problems.push(`the check finds nothing; ${told} documents are told, and ${ids.length} listed`);
  }
  await attempt('closing', () => opened.stop());
  return { isRefused, problems };
}

async function everyId(client: Client, collections: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const collection of collections) {
    let after: string | undefined;
    do {
      const page = await client.documents.list({
        collection,
        limit: 1_000,
        ...(after !== undefined && { after }),
      });
      ids.push(...page.documents.map(({ _id }) => _id));
      after = page.next ?? undefined;
    } while (after !== undefined);
  }
  return ids;
}

async function recover(file: string, target: string): Promise<string[]> {
  const { client, stop } = open(target, NOON);
  try {
    await client.store.recover({ file });
    const job = (await ended(client)).find(({ kind }) => kind === 'recovery');
    if (job === undefined) return ['there is no recovery'];
    const problem = job.error === null ? null : sentence(job.error);
    if (problem !== null) return [`the recovery: ${problem}`];
    const names = (await client.collections.list()).map(({ name }) => name);
    const back = (await everyId(client, names)).filter(id => id.startsWith('gone '));
    return back.length > 0 ? [`${back.length} deleted documents are recovered`] : [];
  } catch (error) {
    return [`the recovery: ${String(error)}`];
  } finally {
    await stop();
  }
}

/** Waits until no job runs, and returns all of them. */
async function ended(client: Client) {
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    const jobs = await client.jobs.list();
    if (jobs.every(({ state }) => state !== 'running')) return jobs;
    await setImmediate();
  }
  throw new Error('a job does not end');
}

/** Returns what is wrong with an error of a damaged file; null: nothing. */
function problemOf(error: unknown): string | null {
  const code = error instanceof SandglassError || error instanceof ORPCError ? String(error.code) : null;
  if (code === null || !(error instanceof Error)) return String(error instanceof Error ? error.stack : error);
  const isExpected = isErrorCode(code) && (ERROR_STATUS[code] < 500 || OF_A_FILE.includes(code));
  return isExpected ? sentence(error.message) : `${code}: ${error.message}`;
}

/** A code of SQLite in brackets, after a sentence, is for support. */
function sentence(text: string): string | null {
  return problemOfSentence(text.replaceAll(/\(SQLITE_[A-Z_]+\)/g, ''));
}
