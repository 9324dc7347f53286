import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFile } from '../../../../electron/engine/backends/embedded/file/file-work.ts';
import {
  type EmbeddedStore,
  openEmbeddedStore,
} from '../../../../electron/engine/backends/embedded/store.ts';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';
import { ttlSource } from '../../../../shared/contract/ttl-indexes.ts';
import type { OnExpire, TtlSource } from '../../../../shared/model/ttl-index.ts';
import { on } from '../../../support/documents.ts';
import { DAY, HOUR, NOON, SECOND } from '../../../support/engine.ts';
import {
  anId,
  aReferenceTime,
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
import { runsHere } from '../../../support/runs-here.ts';
import { NO_SMALL_DISK, smallDisk } from '../../../support/small-disk.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const MIB = 1024 * 1024;
const ALL = { mode: 'upsert', atomic: false } as const;
const LIST = { collection: 'c', limit: 10_000, sort: '_id', order: 'asc' } as const;

/** A store without a reaper of its own, which the test makes act and sweep, step by step. */
class Stepped {
  readonly file: string;
  readonly clock = createManualClock(NOON);
  readonly intervalFrom: number | null;
  store: EmbeddedStore;
  /** Expired intervals by the kind of their source. */
  readonly intervals = new Map<string, number>();
  #lastInterval = 0;

  constructor(intervalFrom: number | null, file = temporaryStoreFile()) {
    this.file = file;
    this.intervalFrom = intervalFrom;
    this.store = this.#open();
  }

  #open(): EmbeddedStore {
    const { file, clock, intervalFrom } = this;
    return openEmbeddedStore({ file, clock, reads: 'inline', intervalFrom });
  }

  async reopen(): Promise<void> {
    await this.store.close();
    this.store = this.#open();
  }

  write(documents: readonly object[]): void {
    const lines = documents.map((value, i) => ({ value, line: i + 1 }));
    this.store.write('c', lines, ALL);
  }

  /** Writes documents with explicit expirations, which may be past. */
  import(documents: readonly { explicitAt: number; onExpire: OnExpire | undefined }[]): void {
    const lines = documents.map(({ explicitAt, onExpire = { action: 'delete' }, ...value }, i) => ({
      text: JSON.stringify(value),
      line: i + 1,
      expiration: { kind: 'at', at: explicitAt, afterMs: null, onExpire } as const,
    }));
    this.store.write('c', lines, ALL);
  }

  build(): void {
    for (;;) {
      const [target] = this.store.pendingBackfills();
      if (target === undefined) return;
      this.store.backfill(target, 100);
    }
  }

  /** Removes what is due by sources that are not paused or held: at most `most` documents of each [R3]. */
  reap(most = Number.POSITIVE_INFINITY): void {
    const { expiry } = this.store;
    const now = this.clock.now();
    for (const source of expiry.sources()) {
      if (source.isPaused || source.isHeld) continue;
      const pass = newPass({ id: expiry.nextPassId(), collection: 'c', trigger: 'manual', at: now });
      let left = most;
      while (left > 0 && expiry.due(source, now) > 0) {
        const limits = { cutoff: now, budgetMs: () => 1_000, maxDocuments: left, isLast: true };
        const { removed, changed, quarantined } = expiry.reap(source, limits, pass);
        const done = removed + changed + quarantined;
        if (done === 0) throw new Error('a batch made no progress');
        if (done > left) throw new Error(`a batch processed ${done} documents of at most ${left}`);
        left -= done;
      }
    }
    this.#countIntervals();
  }

  #countIntervals(): void {
    const db = new Sqlite(this.file, { readonly: true });
    const unswept = db.prepare<[], { first: number; source: number; definition: string }>(
      'SELECT first, source, definition FROM expired_intervals',
    );
    for (const { first, source, definition } of unswept.all()) {
      if (first <= this.#lastInterval) continue;
      this.#lastInterval = first;
      const kind = source === 0 ? 'explicit' : ttlSource.parse(JSON.parse(definition)).kind;
      this.intervals.set(kind, (this.intervals.get(kind) ?? 0) + 1);
    }
    db.close();
  }

  /** Steps of one slice each. */
  sweep(steps: number): void {
    for (let i = 0; i < steps && this.store.expiry.sweep(0); i += 1);
  }

  /** Numbers of the expiries, in order. */
  expiries(): string[] {
    const ids: string[] = [];
    for (let cursor: number | null = 0; cursor !== null; ) {
      const page = this.store.expired.find({ collection: null }, { cursor, order: 'asc' });
      ids.push(...page.ids);
      cursor = page.cursor;
    }
    return ids;
  }

  /** What anybody can read, without what depends on how removals are grouped in revisions. */
  async seen(): Promise<Record<string, unknown>> {
    const { reads } = this.store;
    const now = this.clock.now();
    const listed = await reads.documents({ ...LIST, includeExpired: true }, now);
    const byDeadline = await reads.documents({ ...LIST, sort: 'deadline', includeExpired: true }, now);
    const visible = await reads.documents({ ...LIST, includeExpired: false }, now);
    const { text } = await reads.exportPage(
      { collection: 'c', deadlines: true, includeExpired: true, limit: 10_000 },
      now,
    );
    const [summary] = await reads.summaries(['c'], now);
    const span = { collection: 'c', from: NOON - DAY, to: NOON + 2 * DAY };
    const indexes = await reads.indexes('c', now);
    const preview = await reads.preview(
      { collection: 'c', name: indexes[0] && 'ttl', source: on('exp', { expireAfter: 60 }) },
      { now, drainRate: null },
    );
    const copied = await reads.replicaSnapshot(null, 10_000);
    const { sampled, fields } = await reads.candidates('c');
    const ids = Array.from({ length: 12 }, (_, i) => `d${i}`);
    const backwards: string[] = [];
    for (let cursor: number | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const page = this.store.expired.find({ collection: null }, { cursor, order: 'desc' });
      backwards.push(...page.ids);
      cursor = page.cursor;
    }
    return {
      documents: listed.documents.map(({ document, _id, deadlineAt, state }) => [
        _id,
        document,
        deadlineAt,
        state,
      ]),
      byDeadline: byDeadline.documents.map(({ _id, deadlineAt }) => `${deadlineAt} ${_id}`).sort(),
      visible: visible.documents.map(({ _id }) => _id),
      exported: text.split('\n').sort(),
      copied: copied.documents.map(({ id }) => id).sort(),
      candidates: { sampled, fields: fields.map(({ field, present }) => `${field} ${present}`).sort() },
      missing: (await reads.missing('c', ids)).missing,
      summary,
      indexes,
      // A scan takes those with the lowest rows, which differ.
      preview: { ...preview, revision: 0, elapsedMs: 0, samples: preview.samples.length },
      timeline: await this.#timeline(span, 36),
      fineTimeline: await this.#timeline({ collection: 'c', from: NOON - 5_500, to: NOON + 3_000 }, 17),
      events: await this.#events(),
      expired: await this.#expired(),
      expiries: this.expiries().length,
      isBackwards: backwards.toReversed().join() === this.expiries().join(),
    };
  }

  async #timeline(span: { collection: string; from: number; to: number }, buckets: number) {
    // Cliffs are found without late entries.
    const {
      cliffs: _,
      revision: __,
      ...timeline
    } = await this.store.reads.timeline({ ...span, buckets }, this.clock.now());
    return timeline;
  }

  async #events(): Promise<string[]> {
    const events: string[] = [];
    const places: string[] = [];
    for (let from = { revision: 1, position: 0 }, isEnd = false; !isEnd; ) {
      const page = await this.store.reads.changes({ from, limit: 7 });
      for (const { id, event } of page.events) {
        places.push(id);
        if (event.kind === 'end') continue;
        const { revision: _, position: __, ...rest } = event;
        events.push(JSON.stringify('pass' in rest ? { ...rest, pass: Math.min(1, rest.pass) } : rest));
      }
      from = page.next;
      ({ isEnd } = page);
    }
    expect(new Set(places).size).toBe(places.length);
    return events.sort();
  }

  async #expired(): Promise<string[]> {
    const found: string[] = [];
    let before: string | undefined;
    do {
      const page = await this.store.reads.expired({ collection: 'c', limit: 7, before }, this.clock.now());
      for (const { id: _, revision: __, position: ___, pass, ...entry } of page.expired)
        found.push(JSON.stringify({ ...entry, pass: Math.min(1, pass) }));
      before = page.next ?? undefined;
    } while (before !== undefined);
    return found.sort();
  }
}

const named = (count: number) => Array.from({ length: count }, (_, i) => `d${i}`);
const filled = (count: number) => Array.from({ length: count }, (_, i) => `f${i}`);
/** What happens at an explicit expiration: mostly it deletes. */
const onExpire = fc.constantFrom<OnExpire | undefined>(
  undefined,
  undefined,
  undefined,
  { action: 'delete' },
  { action: 'patch', patch: { exp: null, alt: null } },
);
/** Deadlines by an expression [D8]; some documents have none, since it fails for them. */
const EXPRESSIONS = [
  'doc.exp / 1000.0',
  'updatedAt + duration("3s")',
  'doc.exp < doc.alt ? doc.exp / 1000.0 : doc.none',
] as const;

const sources = fc.constantFrom<TtlSource>(
  on('exp'),
  on('alt'),
  { kind: 'lastModified', expireAfter: 3 },
  ...EXPRESSIONS.map(expression => ({ kind: 'expression', expression }) as const),
);

const step = stepOf<Stepped>;

const steps: fc.Arbitrary<Step<Stepped>> = fc.oneof(
  ...changesOfIntervals<Stepped>(sources),
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(0, SECOND, HOUR), fc.constantFrom(1, 2, 3, 5, 20, 100, 200))
      .map(([ms, most]) =>
        step(`advance ${ms} and reap ${most} of each source`, stepped => {
          stepped.clock.advance(ms);
          stepped.reap(most);
        }),
      ),
  },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 4 }).map(n => step(`sweep ${n}`, one => one.sweep(n))) },
  { weight: 1, arbitrary: fc.constant(step('sweep all', one => one.sweep(1_000_000))) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.integer({ min: 1, max: 150 }),
        fc.integer({ min: 0, max: 11 }),
        onExpire,
        fc.constantFrom(1, 2, 3_600),
      )
      .map(([count, from, action, after]) =>
        step(`expiration of ${count} from ${from} after ${after} ${JSON.stringify(action)}`, ({ store }) => {
          const ids = [...named(12).slice(from), ...filled(count)];
          store.setExpiration('c', ids, { after, onExpire: action });
        }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(anId, aReferenceTime, aReferenceTime, onExpire), { minLength: 1, maxLength: 6 })
      .map(given =>
        step(`import ${JSON.stringify(given)}`, stepped =>
          stepped.import(
            given.map(([_id, exp, explicitAt, onExpire]) => ({ _id, exp, explicitAt, onExpire })),
          ),
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      step('a second index, or none', stepped => {
        const { store } = stepped;
        if (store.indexDefinitions('c').some(({ name }) => name === 'two'))
          store.dropIndex('c', 'two', 'ada');
        else store.createIndex('c', deletingIndex(on('alt'), { name: 'two' }), BY);
        stepped.build();
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: anId.map(_id =>
      step(`purge ${_id}`, async ({ store, clock }) => {
        const { expired } = await store.reads.expired({ collection: 'c', limit: 1_000 }, clock.now());
        store.purges.releaseCopies(expired.filter(entry => entry._id === _id).map(entry => entry.id));
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      step('pause or resume', ({ store, clock }) => {
        const isPaused = store.pauses().length > 0;
        store.setPause({ collection: 'c' }, isPaused ? null : { by: 'ada', since: clock.now() }, 'ada');
      }),
    ),
  },
  { weight: 1, arbitrary: fc.constant(step('reopen', stepped => stepped.reopen())) },
);

/** A store with one index; `intervalFrom` as in the store's options. */
function indexed(intervalFrom: number | null, source: TtlSource = on('exp'), file?: string): Stepped {
  const stepped = new Stepped(intervalFrom, file);
  stepped.store.createCollection('c');
  stepped.store.createIndex('c', deletingIndex(source), BY);
  stepped.build();
  return stepped;
}

/** A store with an interval of four documents, of which none is listed. */
function withFourExpired(): Stepped {
  const stepped = indexed(2);
  stepped.write(named(4).map(_id => ({ _id, exp: NOON })));
  stepped.reap();
  return stepped;
}

const RUNS = Number(process.env.INTERVAL_RUNS ?? 8);

describe('documents that expire as an interval', () => {
  it('[V1, V3, X2, X4, C4, D8, D10, E1, R3] are removed, listed, told, restored and purged like documents that expire one by one', async () => {
    const intervals = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(sources, fc.array(steps, { minLength: 4, maxLength: 30 }), async (source, history) => {
        const pair = [indexed(null, source), indexed(1, source)] as const;
        const done = [JSON.stringify(source)];
        for (const one of [FIRST_INTERVAL, ...history]) {
          done.push(one.name);
          const [oneByOne, atOnce] = pair;
          expect(await outcomeOf(atOnce, one), done.join('\n')).toBe(await outcomeOf(oneByOne, one));
          expect(await atOnce.seen(), done.join('\n')).toEqual(await oneByOne.seen());
          const { problems } = checkFile(atOnce.file, () => {});
          expect(problems, done.join('\n')).toEqual([]);
        }
        for (const [kind, count] of pair[1].intervals)
          intervals.set(kind, (intervals.get(kind) ?? 0) + count);
        for (const stepped of pair) stepped.sweep(1_000_000);
        expect(await pair[1].seen(), 'swept').toEqual(await pair[0].seen());
        for (const { store } of pair) await store.close();
        expect(disagreements(pair[1].file), done.join('\n')).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: false },
    );
    expect(intervals.get('explicit') ?? 0).toBeGreaterThan(0);
    expect(intervals.size).toBeGreaterThan(1);
  }, 600_000);

  it('[V5] are removed at once while a follower is registered, too', async () => {
    const stepped = indexed(1);
    const { store, clock } = stepped;
    store.followers.register('paris', '');
    const expired: (number | undefined)[] = [];
    store.onCommit(({ changes }) => {
      for (const { kind, documents } of changes) if (kind === 'expire') expired.push(documents);
    });
    stepped.write(Array.from({ length: 3 }, (_, i) => ({ _id: `d${i}`, exp: NOON + SECOND })));
    clock.advance(SECOND);
    stepped.reap();
    expect(expired).toEqual([3]);
    await store.close();
  });

  it.runIf(runsHere('an interval on a small disk', NO_SMALL_DISK))(
    '[S1] are removed one by one where their history does not fit beside them',
    async () => {
      const disk = smallDisk(64 * MIB);
      const stepped = indexed(100, on('exp'), join(disk.folder, 's.sandglass'));
      const { store, clock } = stepped;
      store.settings.change({ retention: 0 });
      const db = new Sqlite(stepped.file, { readonly: true });
      const intervals = db.prepare<[], number>('SELECT count(*) FROM expired_intervals').pluck();
      const expireMany = (name: string) => {
        const exp = clock.now() + SECOND;
        stepped.write(
          Array.from({ length: 2_500 }, (_, i) => ({ _id: `${name}${i}`, exp, text: 'x'.repeat(2_000) })),
        );
        clock.advance(SECOND);
      };
      expireMany('a');
      disk.fill(6 * MIB);
      clock.advance(SECOND);
      stepped.reap();
      expect([store.unswept(), intervals.get()]).toEqual([2_500, 0]);
      disk.empty();
      stepped.sweep(1_000_000);
      expireMany('b');
      clock.advance(SECOND);
      stepped.reap();
      expect([store.unswept(), intervals.get()]).toEqual([2_500, 1]);
      stepped.sweep(1_000_000);
      expect(store.unswept()).toBe(0);
      db.close();
      await store.close();
      expect(disagreements(stepped.file)).toEqual([]);
    },
  );

  it('[X4] are found after listed ones, however many of them are not listed yet', async () => {
    const one = indexed(1_000);
    const expiring = (name: string, count: number) =>
      one.write(Array.from({ length: count }, (_, i) => ({ _id: `${name}${i}`, exp: NOON })));
    expiring('listed', 5);
    one.reap();
    one.sweep(1_000_000);
    expiring('unlisted', 4_100);
    one.reap();
    expect(one.expiries()).toHaveLength(4_105);
    await one.store.close();
  });

  it('[X4] stay restored if they are purged before they are listed', async () => {
    const one = withFourExpired();
    const { store } = one;
    const [first = ''] = one.expiries();
    store.expired.restore([first], {
      expiration: { never: true },
      onConflict: 'skip',
      choices: {},
    });
    const ends = async () =>
      (await store.reads.expired({ collection: 'c', limit: 7 }, NOON)).expired.map(
        ({ id, isRestored, restorable }) => [id, isRestored, restorable !== null],
      );
    const [, ...others] = one.expiries();
    store.purges.releaseCopies([first, ...others]);
    const before = await ends();
    one.sweep(1_000_000);
    expect(before).toContainEqual([first, true, false]);
    expect(await ends()).toEqual(before);
    await store.close();
  });

  it('[X4] are erased together with their copies, even if these were not released before', async () => {
    const one = withFourExpired();
    const { store } = one;
    one.sweep(1_000_000);
    expect(store.purges.erase(one.expiries())).toHaveLength(4);
    await store.close();
    const db = new Sqlite(one.file, { readonly: true });
    expect(db.prepare('SELECT * FROM retained').all()).toEqual([]);
    db.close();
    expect(disagreements(one.file)).toEqual([]);
  });
});
