/**
 * A process that is recorded or killed: `node life-child.ts STORE LIFE PHASE…`. Opens the store as the product does, with
 * its reader and checkpoint threads, lives through the phases, and prints what is durable (acknowledgements.ts). `LIFE` is
 * part of every name, since one store may have several lives. Also runs as a worker thread.
 */
import { writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openEngine } from '../../../electron/engine/engine.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import { clientOf } from '../../support/client.ts';
import { tellExpired } from '../../support/expired-ids.ts';

const [storeFile = '', life = '', ...phases] = process.argv.slice(2);
const CALLER = { user: 'child', permission: 'configure', from: 'machine' } as const;
const FAR = 3_600_000;
/** Numbers of 8 bytes that are leaked with each write. */
const LEAKED_NUMBERS = 30_000;

function say(...words: (string | number)[]): void {
  writeSync(1, `${words.join(' ')}\n`);
}

/** Every other life removes at once also the few documents that it has: one whose name ends with an odd character. */
const hasIntervals = life.charCodeAt(life.length - 1) % 2 === 1;

function open() {
  const opened = openEngine({
    storeFile,
    clock: systemClock,
    log: createLogger('error', systemClock.now),
    version: '0.0.0-test',
    callsWaiting: () => 0,
    reserveBytes: 64 * 1024,
    ...(hasIntervals ? { intervalFrom: 2 } : {}),
  });
  const { engine } = opened;
  engine.backend.onCommit(commit => {
    const expired = commit.changes.reduce((sum, { documents = 0 }) => sum + documents, 0);
    if (expired > 0) say('interval', expired);
    tellExpired(engine.backend, commit, gone => {
      if (gone.length > 0) say('absent', ...gone);
    });
    say('revision', commit.revision, Date.now());
  });
  return { ...opened, ...clientOf({ engine, caller: CALLER }) };
}

let store = open();
/** Documents that are removed in this life. */
const removed: string[] = [];
let groups = 0;

async function until(isOver: () => boolean): Promise<void> {
  while (!isOver()) await systemClock.sleep(5);
}

async function ended({ id }: Pick<Job, 'id'>): Promise<void> {
  const { jobs } = store.engine;
  await until(() => jobs.get(id).state !== 'running');
  const job = jobs.get(id);
  if (job.state !== 'done')
    throw new Error(`the job ${job.kind} ended as ${job.state}: ${JSON.stringify(job)}`);
}

/** Imports `count` documents; those without a deadline, or with a far one, are acknowledged as present. */
async function feed(count: number, deadline: (i: number) => number | null): Promise<void> {
  const { imports } = store.engine;
  const group = `${life}g${groups++}`;
  const job = await imports.start(
    { collection: 'c', create: true, format: 'ndjson', mode: 'insert', subject: 'x', deadlines: 'none' },
    'child',
  );
  const A_PIECE = 150;
  const now = Date.now();
  for (let from = 0; from < count; from += A_PIECE) {
    const piece = Array.from({ length: Math.min(A_PIECE, count - from) }, (_, k) => {
      const exp = deadline(from + k);
      return { _id: `${group}-${from + k}`, exp, text: 'x'.repeat(60) };
    });
    await imports.append(job.id, `${piece.map(one => JSON.stringify(one)).join('\n')}\n`);
    const stay = piece.filter(({ exp }) => exp === null || exp >= now + FAR);
    removed.push(...piece.filter(one => !stay.includes(one)).map(({ _id }) => _id));
    if (stay.length > 0) say('present', ...stay.map(({ _id }) => _id));
  }
  await imports.finish(job.id);
}

/** Resolves when the reaper and the sweep have nothing to do. */
async function settled(): Promise<void> {
  const { backend } = store.engine;
  const isEmpty = async () =>
    (await store.client.collections.get({ collection: 'c' })).overdue === 0 && backend.unswept() === 0;
  while (!(await isEmpty())) await systemClock.sleep(10);
}

function makeIndex(name: string, expireAfter: number): void {
  say('index', name, 'either');
  store.engine.backend.createIndex(
    'c',
    {
      name,
      source: { kind: 'field', field: 'exp', unit: 'milliseconds', expireAfter },
      onExpire: { action: 'delete' },
      schedule: { mode: 'exact' },
      limits: {},
      retention: null,
    },
    { by: 'child' },
  );
  say('index', name, 'present');
  store.engine.indexBuilds.startPending();
}

async function storedIds(): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.client.documents.list({ collection: 'c', limit: 1_000, sort: '_id', after });
    ids.push(...page.documents.map(({ _id }) => _id));
    if (page.next === null) return ids;
    after = page.next;
  }
}

const PHASES: Readonly<Record<string, (nth: number) => Promise<void>>> = {
  import: () => feed(600, i => Date.now() + FAR + i),
  async writes(nth) {
    for (let i = 0; i < 20; i++) {
      store.engine.backend.put('c', `${life}w${nth}-${i}`, { text: 'x'.repeat(i * 40) });
      say('present', `${life}w${nth}-${i}`);
    }
  },
  async drain() {
    const from = Date.now() + 60;
    await feed(450, i => (i % 3 === 0 ? null : from + (i % 200)));
    await until(() => Date.now() > from + 200);
    await settled();
  },
  async sweep() {
    const { backend } = store.engine;
    const now = Date.now();
    backend.setPause({}, { by: 'child', since: now }, 'child');
    await feed(600, i => (i % 3 === 0 ? null : now));
    backend.setPause({}, null, 'child');
    await settled();
  },
  async build(nth) {
    const name = `${life}b${nth}`;
    makeIndex(name, FAR + nth);
    await store.engine.indexBuilds.whenIdle();
    say('index', name, 'either');
    store.engine.backend.dropIndex('c', name, 'child');
    say('index', name, 'absent');
    await store.engine.indexBuilds.whenIdle();
  },
  async restore() {
    const { ids } = store.engine.backend.expired.find(
      { collection: 'c', restorable: true },
      { cursor: null, order: 'desc' },
    );
    if (ids.length === 0) return;
    say('restoring');
    await ended(await store.client.expired.restore({ what: { ids: ids.slice(0, 200) } }));
    const stored = new Set(await storedIds());
    const back = removed.filter(id => stored.has(id));
    const gone = removed.filter(id => !stored.has(id));
    removed.splice(0, removed.length, ...gone);
    if (back.length > 0) say('present', ...back);
    if (gone.length > 0) say('absent', ...gone);
  },
  async purge() {
    say('purging');
    await ended(await store.client.expired.purge({}));
    say('purged');
    // Removed documents cannot be restored from here on.
    removed.length = 0;
  },
  async delete(nth) {
    const ids = Array.from({ length: 60 }, (_, i) => `${life}d${nth}-${i}`);
    for (const id of ids) store.engine.backend.put('c', id, { text: 'y'.repeat(300) });
    store.engine.backend.delete('c', ids);
    say('absent', ...ids);
  },
  async settings(nth) {
    const logSeconds = 3_600 + nth;
    say('setting', logSeconds, 'either');
    store.engine.backend.settings.change({ logSeconds });
    say('setting', logSeconds, 'present');
  },
  async backup(nth) {
    const file = join(dirname(storeFile), `backup-${life}${nth}.sandglass`);
    await ended(await store.client.store.backup({ file }));
    say('backup', file);
  },
  async compact() {
    await ended(await store.client.store.compact());
  },
  /** Ends only with the memory of its thread. */
  async leak(nth) {
    const kept: number[][] = [];
    for (let i = 0; ; i++) {
      store.engine.backend.put('c', `${life}k${nth}-${i}`, { text: 'x'.repeat(200) });
      say('present', `${life}k${nth}-${i}`);
      kept.push(Array.from({ length: LEAKED_NUMBERS }, (_, k) => k + i / 2));
      await systemClock.sleep(0);
    }
  },
  async reopen() {
    store.close();
    await store.stop();
    store = open();
  },
};

const { backend, indexBuilds } = store.engine;
// A life before this one may have ended in a pause.
if (backend.pauses().length > 0) backend.setPause({}, null, 'child');
if (!backend.hasCollection('c')) backend.createCollection('c');
if (backend.indexDefinitions('c').length === 0) makeIndex('exp', 0);
await indexBuilds.whenIdle();
for (const [nth, phase] of phases.entries()) {
  const run = PHASES[phase];
  if (run === undefined) throw new Error(`there is no phase ${phase}`);
  say('phase', phase);
  await run(nth);
}
store.close();
await store.stop();
say('closed');
process.exit(0);
