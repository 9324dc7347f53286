import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFile } from '../../../../electron/engine/backends/embedded/file/file-work.ts';
import {
  type EmbeddedStore,
  openEmbeddedStore,
} from '../../../../electron/engine/backends/embedded/store.ts';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';
import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
import { on } from '../../../support/documents.ts';
import { HOUR, NOON, SECOND } from '../../../support/engine.ts';
import {
  BY,
  changesOfIntervals,
  deletingIndex,
  FIRST_INTERVAL,
  outcomeOf,
  type Step,
  step as stepOf,
} from '../../../support/interval-steps.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { disagreements } from '../../../support/recount.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';
import { difference, StoreImage } from './store-image.ts';

const ALL = { mode: 'upsert', atomic: false } as const;
const NAME = 'paris';
const BY_EXPRESSION: TtlSource = {
  kind: 'expression',
  expression: 'doc.exp == null ? null : timestampMs(doc.exp) + duration("2s")',
};

/** A leader and its mirror, both without an engine: the test makes them act, sweep, and replay, step by step. */
class Pair {
  readonly clock = createManualClock(NOON);
  readonly files = { leader: temporaryStoreFile(), mirror: temporaryStoreFile() };
  leader: EmbeddedStore;
  mirror: EmbeddedStore;
  readonly #intervalFrom: number;
  /** Intervals that the mirror replayed, and comparisons while it had rows to free and the leader had none. */
  replayed = 0;
  behind = 0;

  constructor(intervalFrom = 1) {
    this.#intervalFrom = intervalFrom;
    this.leader = this.#openLeader();
    this.mirror = this.#openMirror();
    this.leader.followers.register(NAME, '');
  }

  #openLeader(): EmbeddedStore {
    const { clock, files } = this;
    return openEmbeddedStore({
      ...{ file: files.leader, clock, reads: 'inline' },
      intervalFrom: this.#intervalFrom,
    });
  }

  #openMirror(): EmbeddedStore {
    const { clock, files } = this;
    const store = openEmbeddedStore({
      ...{ file: files.mirror, clock, reads: 'inline' },
      leader: 'http://leader.test/',
    });
    store.onCommit(({ changes }) => {
      this.replayed += changes.filter(({ documents }) => documents !== undefined).length;
    });
    return store;
  }

  image(which: 'leader' | 'mirror'): { image: string; oldest: number } {
    const image = new StoreImage(this.files[which]);
    const { image: read } = image.read();
    const oldest = image.oldest();
    image.close();
    return { image: read, oldest };
  }

  get store(): EmbeddedStore {
    return this.leader;
  }

  get replica() {
    const { replica } = this.mirror;
    if (replica === null) throw new Error('a store that is opened with a leader is a mirror');
    return replica;
  }

  async reopen(which: 'leader' | 'mirror'): Promise<void> {
    await this[which].close();
    if (which === 'leader') this.leader = this.#openLeader();
    else this.mirror = this.#openMirror();
  }

  async close(): Promise<void> {
    await this.mirror.close();
    await this.leader.close();
  }

  write(documents: readonly object[]): void {
    const lines = documents.map((value, i) => ({ value, line: i + 1 }));
    this.leader.write('c', lines, ALL);
  }

  build(): void {
    for (let [target] = this.leader.pendingBackfills(); target !== undefined; ) {
      this.leader.backfill(target, 100);
      [target] = this.leader.pendingBackfills();
    }
  }

  reap(): void {
    const { expiry } = this.leader;
    const now = this.clock.now();
    for (const source of expiry.sources()) {
      const pass = newPass({ id: expiry.nextPassId(), collection: 'c', trigger: 'manual', at: now });
      const limits = { cutoff: now, budgetMs: () => 0, maxDocuments: Number.POSITIVE_INFINITY, isLast: true };
      while (expiry.due(source, now) > 0) expiry.reap(source, limits, pass);
    }
  }

  /** Steps of one slice each. */
  sweepLeader(steps: number): void {
    for (let i = 0; i < steps && this.leader.expiry.sweep(0); i += 1);
  }

  sweepMirror(steps: number): void {
    for (let i = 0; i < steps && this.replica.sweep(0); i += 1);
  }

  /** Replays up to `most` revisions, each prepared in steps of one slice. */
  async replay(most: number): Promise<void> {
    if (this.replica.progress.phase !== 'replaying') return;
    const { entries } = await this.leader.reads.replicaEntries(this.mirror.revision, most);
    for (const entry of structuredClone(entries)) {
      while (this.replica.prepare(entry, 0));
      this.replica.apply(entry);
    }
  }

  /** Copies the leader, with a step of each history between two pages. */
  async copy(limit: number, between: () => Promise<void>, discards = false): Promise<void> {
    while (!discards && this.replica.sweep(0));
    const storeId = this.leader.followers.storeId;
    let after: string | null = null;
    do {
      const page = await this.leader.reads.replicaSnapshot(after, limit);
      this.replica.applyPage({ ...structuredClone(page), storeId, discards });
      after = page.next;
      await between();
    } while (after !== null);
  }

  /** Compares all that can be read of two stores at one revision. */
  async compare(): Promise<void> {
    const { progress } = this.replica;
    if (progress.phase !== 'replaying' || this.mirror.revision < progress.consistentFrom) return;
    await this.replay(10_000);
    while (this.replica.build(1_000));
    if (this.mirror.unswept() > 0 && this.leader.unswept() === 0) this.behind += 1;
    const [own, leaders] = [this.image('mirror'), this.image('leader')];
    if (own.image !== leaders.image) throw new Error(difference(own.image, leaders.image));
    const oldest = Math.max(own.oldest, leaders.oldest);
    const now = this.clock.now();
    const [here, there] = [await seen(this.mirror, now, oldest), await seen(this.leader, now, oldest)];
    if (here !== there) throw new Error(difference(here, there));
    for (const file of Object.values(this.files)) expect(checkFile(file, () => {}).problems).toEqual([]);
  }
}

async function seen({ reads }: EmbeddedStore, now: number, oldest: number): Promise<string> {
  const list = { collection: 'c', limit: 10_000, order: 'asc' } as const;
  const sorted = async (sort: '_id' | 'deadline', includeExpired: boolean) => {
    const { documents } = await reads.documents({ ...list, sort, includeExpired }, now);
    return documents.map(({ _id, document, deadlineAt, state }) => [_id, document, deadlineAt, state]);
  };
  const events: unknown[] = [];
  for (let from = { revision: oldest, position: 0 }, isEnd = false; !isEnd; ) {
    const page = await reads.changes({ from, limit: 7 });
    events.push(...page.events);
    from = page.next;
    ({ isEnd } = page);
  }
  const expired: unknown[] = [];
  let before: string | undefined;
  do {
    const page = await reads.expired({ collection: 'c', limit: 7, before }, now);
    // Copies and the history of definitions are on the leader only.
    for (const { id: _, restorable: __, isRestored: ___, dueSinceAt: ____, ...entry } of page.expired)
      if (entry.revision >= oldest && entry.cause === 'expired') expired.push(entry);
    before = page.next ?? undefined;
  } while (before !== undefined);
  const all = {
    events,
    expired,
    byId: await sorted('_id', true),
    visible: await sorted('_id', false),
    byDeadline: await sorted('deadline', true),
    summary: await reads.summaries(['c'], now),
    indexes: await reads.indexes('c', now),
  };
  return JSON.stringify(all, null, 1);
}

const step = stepOf<Pair>;

/** Changes of the leader, and sweeps of both. */
const changes: fc.Arbitrary<Step<Pair>> = fc.oneof(
  ...changesOfIntervals<Pair>(
    fc.constantFrom<TtlSource>(on('exp'), on('alt'), BY_EXPRESSION, { kind: 'lastModified', expireAfter: 3 }),
  ),
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: 1, max: 6 })
      .map(n => step(`the leader sweeps ${n}`, pair => pair.sweepLeader(n))),
  },
  {
    weight: 3,
    arbitrary: fc.constant(step('the leader sweeps all', pair => pair.sweepLeader(1_000_000))),
  },
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: 1, max: 6 })
      .map(n => step(`the mirror sweeps ${n}`, pair => pair.sweepMirror(n))),
  },
  {
    weight: 1,
    arbitrary: fc.constant(step('the mirror sweeps all', pair => pair.sweepMirror(1_000_000))),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(1, 3, 7_200), fc.boolean()).map(([after, isPatched]) =>
      step(`expiration of 40 after ${after}${isPatched ? ', one is patched' : ''}`, ({ leader }) => {
        const ids = Array.from({ length: 40 }, (_, i) => `f${i}`);
        leader.setExpiration('c', ids, { after });
        const onExpire = { action: 'patch', patch: { exp: null } } as const;
        if (isPatched) leader.setExpiration('c', ['f7'], { after, onExpire });
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      step('drop the collection and create it again', pair => {
        const { leader } = pair;
        leader.dropCollection('c', 'ada');
        leader.createCollection('c');
        leader.createIndex('c', deletingIndex(on('exp')), BY);
        pair.build();
      }),
    ),
  },
  // Numbers of freed rows are used again.
  { weight: 3, arbitrary: fc.constant(step('reopen the leader', pair => pair.reopen('leader'))) },
  { weight: 2, arbitrary: fc.constant(step('reopen the mirror', pair => pair.reopen('mirror'))) },
);

const replays: fc.Arbitrary<Step<Pair>> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 3 }).map(n => step(`replay ${n}`, pair => pair.replay(n))),
  },
  { weight: 2, arbitrary: fc.constant(step('compare', pair => pair.compare())) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 60 }), fc.array(changes, { maxLength: 6 }))
      .map(([limit, meanwhile]) =>
        step(`copy by ${limit} [${meanwhile.map(({ name }) => name).join(', ')}]`, async pair => {
          const left = [...meanwhile];
          await pair.copy(limit, async () => {
            const next = left.shift();
            if (next !== undefined) await outcomeOf(pair, next);
          });
        }),
      ),
  },
);

/** A mirror that was copied from a leader with an index. */
async function openPair(intervalFrom?: number): Promise<Pair> {
  const pair = new Pair(intervalFrom);
  pair.leader.createCollection('c');
  pair.leader.createIndex('c', deletingIndex(on('exp')), BY);
  pair.build();
  await pair.copy(100, async () => {});
  return pair;
}

/** REPLAY_RUNS sets how many histories are compared, REPLAY_SEED repeats one. */
const RUNS = Number(process.env.REPLAY_RUNS ?? 12);
const SEED = process.env.REPLAY_SEED === undefined ? {} : { seed: Number(process.env.REPLAY_SEED) };

describe('an interval that expired on a leader', () => {
  it('[V1, V3, V5, X2] is replayed by a mirror that sweeps at its own pace, with the same answers', async () => {
    let replayed = 0;
    let behind = 0;
    const history = fc.array(fc.oneof({ weight: 4, arbitrary: changes }, { weight: 1, arbitrary: replays }), {
      minLength: 6,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(history, async steps => {
        const pair = await openPair();
        const done: string[] = [];
        try {
          await outcomeOf(pair, FIRST_INTERVAL);
          await pair.replay(10);
          for (const one of steps) {
            done.push(one.name);
            await outcomeOf(pair, one);
          }
          done.push('the end');
          await pair.replay(10_000);
          await pair.compare();
          pair.sweepLeader(1_000_000);
          await pair.compare();
          pair.sweepMirror(1_000_000);
          await pair.compare();
        } catch (error) {
          throw new Error(`${error instanceof Error ? error.stack : error}\nafter\n${done.join('\n')}`);
        } finally {
          await pair.close();
        }
        expect(disagreements(pair.files.mirror), done.join('\n')).toEqual([]);
        replayed += pair.replayed;
        behind += pair.behind;
      }),
      { numRuns: RUNS, endOnFailure: process.env.REPLAY_SHRINKS === undefined, ...SEED },
    );
    expect(replayed).toBeGreaterThan(RUNS);
    expect(behind).toBeGreaterThan(0);
  }, 600_000);

  it('[V5] is one entry of the log without a document, before and after its leader swept', async () => {
    const pair = await expired(3);
    const entry = async () =>
      (await pair.leader.reads.replicaEntries(pair.mirror.revision, 10)).entries.at(-1);
    const sent = await entry();
    expect(sent).toEqual({
      ...{ revision: pair.leader.revision, at: NOON + SECOND },
      interval: {
        ...{ collection: 1, source: 1, through: NOON + SECOND, documents: 3, pass: expect.any(Number) },
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      ...{ changes: [], catalog: null, put: [], removed: [], expired: [] },
    });
    pair.sweepLeader(1_000_000);
    await pair.reopen('leader');
    expect(await entry()).toEqual(sent);
    await pair.close();
  });

  it('[V5] is refused, without a change, by a mirror with another count or other documents', async () => {
    const pair = await expired(3);
    await pair.replay(1);
    const [entry] = (await pair.leader.reads.replicaEntries(pair.mirror.revision, 10)).entries;
    const { interval } = entry ?? {};
    if (entry === undefined || interval === undefined || interval === null) throw new Error('no interval');
    const before = pair.image('mirror');
    for (const [changed, message] of [
      [{ documents: 4 }, /has 3 documents that expire at once, and not 4/],
      [{ checksum: '0'.repeat(64) }, /has other documents that expire at once/],
      [{ through: NOON }, /has 0 documents/],
      [{ source: 9 }, /no index with the number 9/],
      [{ collection: 9 }, /no index with the number/],
    ] as const)
      expect(() => pair.replica.apply({ ...entry, interval: { ...interval, ...changed } })).toThrow(message);
    expect(pair.image('mirror')).toEqual(before);
    await pair.compare();
    expect(pair.replayed).toBe(1);
    await pair.close();
  });

  it('[V3, V5] during a copy leaves no document that the leader has not, and a history that begins after it', async () => {
    const pair = await openPair();
    pair.write(documentsDueAt(NOON + SECOND, 6));
    let revision = 0;
    await pair.copy(2, async () => {
      if (revision > 0) return;
      pair.clock.advance(SECOND);
      pair.reap();
      revision = pair.leader.revision;
      // One of them is there again with a past reference time, and is sent with a later page.
      pair.write([
        { _id: 'd1', exp: NOON },
        { _id: 'kept', exp: NOON + HOUR },
      ]);
    });
    expect(pair.replica.progress).toMatchObject({ consistentFrom: pair.leader.revision });
    expect(pair.mirror.revision).toBeLessThan(revision);
    await pair.replay(100);
    await pair.compare();
    expect(pair.replayed).toBe(0);
    const events = pair.mirror.reads.changes({ from: { revision, position: 0 }, limit: 10 });
    await expect(events).rejects.toMatchObject({ data: { oldest: revision + 1 } });
    await pair.close();
    expect(disagreements(pair.files.mirror)).toEqual([]);
  });

  it('[V5] is not in a copy over an emptied mirror, whose rows are those of other documents', async () => {
    const pair = await expired(200);
    await pair.replay(10);
    pair.sweepMirror(3);
    pair.write(documentsDueAt(NOON + 2 * SECOND, 3));
    await pair.replay(10);
    expect(pair.mirror.unswept()).toBe(200);
    pair.sweepLeader(1_000_000);
    pair.leader.delete('c', ['d0', 'd1', 'd2']);
    await pair.reopen('leader');
    pair.write(Array.from({ length: 150 }, (_, i) => ({ _id: `new${i}`, exp: NOON + HOUR })));
    await expect(
      (async () => {
        const page = await pair.leader.reads.replicaSnapshot(null, 10);
        pair.replica.applyPage({ ...page, storeId: pair.leader.followers.storeId });
      })(),
    ).rejects.toThrow('rows of expired documents are not freed yet');
    await pair.copy(20, async () => {}, true);
    await pair.compare();
    pair.sweepMirror(1_000_000);
    await pair.compare();
    await pair.close();
    expect(disagreements(pair.files.mirror)).toEqual([]);
  });

  it('[V5] is copied in pages that examine a limited number of rows, however many of them are expired', async () => {
    const pair = await expired(25_000);
    pair.write([{ _id: 'last', exp: NOON + HOUR }]);
    const pages: number[] = [];
    const ids: string[] = [];
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const page = await pair.leader.reads.replicaSnapshot(after, 500);
      pages.push(page.documents.length);
      ids.push(...page.documents.map(({ id: one }) => one));
      after = page.next;
    }
    expect(pages).toEqual([0, 0, 1]);
    expect(ids).toEqual(['last']);
    await pair.close();
  });

  it('[X4, V5] is in no row of a mirror that has deleted its history for a purge', async () => {
    const pair = await expired(3);
    await pair.replay(10);
    expect(pair.mirror.unswept()).toBe(3);
    while (pair.replica.deleteHistory(pair.mirror.revision));
    expect(pair.mirror.unswept()).toBe(0);
    const { expired: listed } = await pair.mirror.reads.expired({ limit: 10 }, NOON);
    expect(listed).toEqual([]);
    await pair.close();
    expect(disagreements(pair.files.mirror)).toEqual([]);
  });
});

function documentsDueAt(at: number, count: number): { _id: string; exp: number }[] {
  return Array.from({ length: count }, (_, i) => ({ _id: `d${i}`, exp: at }));
}

/** A leader on which some documents expired at once, none of it swept or replayed. */
async function expired(count: number): Promise<Pair> {
  const pair = await openPair();
  pair.write(documentsDueAt(NOON + SECOND, count));
  pair.clock.advance(SECOND);
  pair.reap();
  return pair;
}
