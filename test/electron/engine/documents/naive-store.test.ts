import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EmbeddedStore,
  openEmbeddedStore,
} from '../../../../electron/engine/backends/embedded/store.ts';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import type { OnExpire, TtlSource } from '../../../../shared/model/ttl-index.ts';
import { DAY, HOUR, MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import {
  type FieldValue,
  jsonOf,
  MISSING,
  type NaiveAction,
  NaiveCollection,
  type NaiveDocument,
  type NaiveExpiry,
  type NaiveSource,
} from '../../../support/naive-store.ts';
import { disagreements } from '../../../support/recount.ts';

const COLLECTION = 'c';
const ARCHIVE = 'archive';
const FIELDS = ['a', 'b'] as const;
const IDS = Array.from({ length: 24 }, (_, i) => `id ${String(i).padStart(2, '0')}`);
/** More than one read of a backfill, so that the test sees builds in progress. */
const OTHERS = 150;

/** Instants close to now, many of them shared, some at the edge of a second, an hour or a day. */
const instant = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -20_000, max: 60_000 }).map(ms => NOON + ms) },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 8 }).map(s => NOON + s * 5 * SECOND) },
  { weight: 1, arbitrary: fc.integer({ min: -1, max: 1 }).map(ms => NOON + HOUR + ms) },
  { weight: 1, arbitrary: fc.integer({ min: -100 * DAY, max: 100 * DAY }).map(ms => NOON + ms) },
);

const fieldValue: fc.Arbitrary<FieldValue> = fc.oneof(
  { weight: 6, arbitrary: instant.map(at => ({ json: at, reading: { at } })) },
  { weight: 2, arbitrary: instant.map(at => ({ json: new Date(at).toISOString(), reading: { at } })) },
  { weight: 1, arbitrary: fc.constant({ json: undefined, reading: { reason: 'missing field' } }) },
  { weight: 1, arbitrary: fc.constant({ json: 'tomorrow', reading: { reason: 'not a date' } }) },
  { weight: 1, arbitrary: fc.constant({ json: true, reading: { reason: 'wrong type' } }) },
  { weight: 1, arbitrary: fc.constant({ json: 60, reading: { reason: 'wrong unit suspected' } }) },
);

/** A TTL in seconds that some documents contain. */
const ownTtl: fc.Arbitrary<FieldValue> = fc.oneof(
  fc.constantFrom(0, 5, 12.5, -1).map(json => ({ json, reading: { reason: 'wrong unit suspected' } })),
  fc.constant(MISSING),
);
const someFields = fc.record({ a: fieldValue, b: fieldValue, t: ownTtl });

const source: fc.Arbitrary<NaiveSource> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('field' as const), field: fc.constantFrom(...FIELDS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('own' as const), field: fc.constantFrom(...FIELDS) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'lastModified' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'expression' as const }) },
);
const action = fc.oneof(
  { weight: 3, arbitrary: fc.constant('delete' as const) },
  { weight: 3, arbitrary: fc.constantFrom<NaiveAction>('patch', 'replace', 'stuck', 'move') },
);

const ACTIONS: Record<NaiveAction, OnExpire> = {
  delete: { action: 'delete' },
  patch: { action: 'patch', patch: { a: null, b: null } },
  replace: { action: 'replace', expression: 'without(doc, "a", "b")' },
  stuck: { action: 'patch', patch: { mark: 1 } },
  move: { action: 'move', to: ARCHIVE },
};

function toSource(naive: NaiveSource, expireAfter: number): TtlSource {
  switch (naive.kind) {
    case 'field':
      return { kind: 'field', field: naive.field, unit: 'milliseconds', expireAfter };
    case 'own':
      return { kind: 'field', field: naive.field, unit: 'milliseconds', expireAfterField: 't' };
    case 'lastModified':
      return { kind: 'lastModified', expireAfter };
    case 'expression':
      return { kind: 'expression', expression: 'has(doc.t) ? updatedAt + duration("30s") : null' };
  }
}

function addedMs(naive: NaiveSource, expireAfter: number): number {
  return naive.kind === 'own' || naive.kind === 'expression' ? 0 : Math.round(expireAfter * 1_000);
}

const someIds = fc.uniqueArray(fc.constantFrom(...IDS), { minLength: 1, maxLength: 6 });
const indexName = fc.constantFrom('one', 'two', 'three');
const expireAfter = fc.constantFrom(0, 0.5, 10, 30.25, 3_600, 86_400, -0);
const scope = fc.constantFrom({}, { collection: COLLECTION });

type Operation =
  | { do: 'write'; ids: string[]; fields: Record<string, FieldValue>; mode: 'insert' | 'upsert' }
  | { do: 'write and fail'; ids: string[] }
  | { do: 'delete'; ids: string[] }
  | { do: 'set'; ids: string[]; ahead: number | 'never' | 'clear'; action: NaiveAction }
  | { do: 'create index'; name: string; source: NaiveSource; expireAfter: number; action: NaiveAction }
  | { do: 'change action'; name: string; action: NaiveAction }
  | { do: 'observe'; name: string; observe: boolean }
  | { do: 'drop index'; name: string }
  | { do: 'change index'; name: string; expireAfter: number }
  | { do: 'pause index'; name: string; pause: boolean }
  | { do: 'pause'; scope: { collection?: string }; pause: boolean }
  | { do: 'advance'; ms: number }
  | { do: 'reap'; source: number; most: number; behind: number }
  | { do: 'backfill' }
  | { do: 'sweep'; all: boolean }
  | { do: 'restore'; nth: number[]; onConflict: Choice[]; ahead: number | 'never' }
  | { do: 'purge'; nth: number[] }
  | { do: 'settings'; retention: number; retentionBytes: number }
  | { do: 'pin in the archive'; ids: string[] }
  | { do: 'reopen' };
type Choice = 'skip' | 'replace' | 'newId';

/** The latest expiries, counted from the last one. */
const someExpiries = fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 4 });
const restoring: fc.Arbitrary<Operation> = fc.record({
  do: fc.constant('restore' as const),
  nth: someExpiries,
  onConflict: fc.array(fc.constantFrom<Choice>('skip', 'replace', 'newId'), { minLength: 4, maxLength: 4 }),
  ahead: fc.constantFrom(2_000, 2_000, 'never' as const),
});
const purging: fc.Arbitrary<Operation> = fc.record({ do: fc.constant('purge' as const), nth: someExpiries });
/** Retention bytes for no copy, for one or two, and for all. */
const settings: fc.Arbitrary<Operation> = fc.record({
  do: fc.constant('settings' as const),
  retention: fc.constantFrom(0, 5, 3_600, 86_400, 86_400),
  retentionBytes: fc.constantFrom(0, 40, 100, 1024 ** 3),
});

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      ids: someIds,
      fields: someFields,
      mode: fc.constantFrom('insert' as const, 'upsert' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('write and fail' as const), ids: someIds }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), ids: someIds }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      ids: someIds,
      ahead: fc.oneof(
        fc.integer({ min: 1, max: 40_000 }),
        fc.constantFrom('never' as const, 'clear' as const),
      ),
      action,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('create index' as const),
      name: indexName,
      source,
      expireAfter,
      action,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('change action' as const), name: indexName, action }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('observe' as const), name: indexName, observe: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop index' as const), name: indexName }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('change index' as const), name: indexName, expireAfter }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pause index' as const), name: indexName, pause: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), scope, pause: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.oneof(fc.integer({ min: 0, max: 9_000 }), fc.constantFrom(1, SECOND, HOUR, DAY)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('reap' as const),
      source: fc.nat(3),
      most: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(1_000)),
      behind: fc.constantFrom(0, 0, 1, 1_500),
    }),
  },
  { weight: 6, arbitrary: fc.constant({ do: 'backfill' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sweep' as const), all: fc.boolean() }) },
  { weight: 2, arbitrary: restoring },
  { weight: 1, arbitrary: purging },
  { weight: 1, arbitrary: settings },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('pin in the archive' as const), ids: someIds }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'reopen' as const }) },
);

/** Two indexes from the start, so that the test covers which one governs; or none. */
const prelude: fc.Arbitrary<Operation[]> = fc.oneof(
  fc.constant<Operation[]>([]),
  fc
    .tuple(fc.constantFrom<NaiveAction>('stuck', 'patch', 'move', 'delete'), action, source)
    .map(([one, two, of]) => [
      {
        do: 'create index' as const,
        name: 'one',
        source: { kind: 'field' as const, field: 'a' },
        expireAfter: 0,
        action: one,
      },
      { do: 'create index' as const, name: 'two', source: of, expireAfter: 10, action: two },
    ]),
);

/** Documents for those two: a few that are due for the first, some of them for the second, too. */
const DUE_AT_ONCE: readonly Operation[] = [
  ...[0, 3, 6].map(from => ({
    do: 'write' as const,
    ids: IDS.slice(from, from + 3),
    fields: {
      a: { json: NOON + from, reading: { at: NOON + from } },
      b: from === 0 ? MISSING : { json: NOON + from * SECOND, reading: { at: NOON + from * SECOND } },
      t: MISSING,
    },
    mode: 'upsert' as const,
  })),
  { do: 'advance', ms: 2 * SECOND },
  { do: 'reap', source: 1, most: 1_000, behind: 0 },
];

/** The engine's store and the naive one, side by side. */
class Pair {
  readonly naive = new NaiveCollection();
  readonly clock = createManualClock(NOON);
  readonly file: string;
  store: EmbeddedStore;
  paused = { store: false, collection: false };
  #expired: { id: string; index: string | undefined; deadlineAt: number | undefined }[] = [];
  #inserted: string[] = [];
  #revision = 0;

  constructor(file: string) {
    this.file = file;
    this.store = this.#open();
    this.store.createCollection(COLLECTION);
    this.store.createCollection(ARCHIVE);
  }

  #open(): EmbeddedStore {
    const store = openEmbeddedStore({ file: this.file, clock: this.clock, reads: 'inline' });
    this.#revision = store.revision;
    store.onCommit(commit => {
      expect(commit.revision).toBe(this.#revision + 1);
      this.#revision = commit.revision;
      for (const { kind, id, index, deadlineAt, collection } of commit.changes) {
        if (kind === 'expire' && collection === COLLECTION) this.#expired.push({ id, index, deadlineAt });
        if (kind === 'insert' && collection === COLLECTION) this.#inserted.push(id);
      }
    });
    return store;
  }

  get now(): number {
    return this.clock.now();
  }

  async run(step: Operation): Promise<void> {
    const { naive, store } = this;
    this.#expired = [];
    this.#inserted = [];
    switch (step.do) {
      case 'write':
        this.#write(step.ids, step.fields, step.mode);
        break;
      case 'write and fail': {
        const revision = store.revision;
        const values = [...step.ids.map(id => ({ _id: id, a: NOON - 1 })), 'no document'];
        expect(() =>
          store.write(
            COLLECTION,
            values.map((value, i) => ({ value, line: i + 1 })),
            { mode: 'upsert', atomic: true },
          ),
        ).toThrow('Nothing was written');
        expect(store.revision).toBe(revision);
        break;
      }
      case 'delete': {
        const { failed } = store.delete(COLLECTION, step.ids);
        expect(failed.map(({ _id }) => _id)).toEqual(step.ids.filter(id => !naive.documents.has(id)));
        for (const id of step.ids) naive.documents.delete(id);
        break;
      }
      case 'set':
        this.#set(step.ids, step.ahead, step.action);
        break;
      case 'create index': {
        const definition = {
          name: step.name,
          source: toSource(step.source, step.expireAfter),
          onExpire: ACTIONS[step.action],
          schedule: { mode: 'exact' as const },
          limits: {},
          retention: null,
        };
        if (naive.indexes.has(step.name)) {
          expect(() => store.createIndex(COLLECTION, definition, { by: 'ada' })).toThrow('already');
          break;
        }
        store.createIndex(COLLECTION, definition, { by: 'ada' });
        naive.indexes.set(step.name, {
          name: step.name,
          source: step.source,
          action: step.action,
          addMs: addedMs(step.source, step.expireAfter),
          isPaused: false,
          isReady: false,
          isObserving: false,
        });
        break;
      }
      case 'drop index':
        if (!naive.indexes.delete(step.name)) {
          expect(() => store.dropIndex(COLLECTION, step.name, 'ada')).toThrow('no TTL index');
        } else {
          store.dropIndex(COLLECTION, step.name, 'ada');
          naive.release(step.name);
        }
        break;
      case 'change index': {
        const index = naive.indexes.get(step.name);
        if (index === undefined) break;
        const before = store.index(COLLECTION, step.name);
        const source = toSource(index.source, step.expireAfter);
        store.changeIndex(COLLECTION, { ...before, source }, { by: 'ada' });
        const addMs = addedMs(index.source, step.expireAfter);
        if (addMs !== index.addMs) naive.release(step.name);
        index.addMs = addMs;
        break;
      }
      case 'change action': {
        const index = naive.indexes.get(step.name);
        if (index === undefined) break;
        const before = store.index(COLLECTION, step.name);
        store.changeIndex(COLLECTION, { ...before, onExpire: ACTIONS[step.action] }, { by: 'ada' });
        if (index.action !== step.action) naive.release(step.name);
        index.action = step.action;
        break;
      }
      case 'observe': {
        const index = naive.indexes.get(step.name);
        if (index === undefined) break;
        const before = store.index(COLLECTION, step.name);
        const schedule = { mode: step.observe ? ('observe' as const) : ('exact' as const) };
        store.changeIndex(COLLECTION, { ...before, schedule }, { by: 'ada' });
        if (index.isObserving !== step.observe) naive.release(step.name);
        index.isObserving = step.observe;
        break;
      }
      case 'pause index': {
        const index = naive.indexes.get(step.name);
        if (index === undefined) break;
        const pause = step.pause ? { by: 'ada', since: this.now } : null;
        store.setPause({ collection: COLLECTION, index: step.name }, pause, 'ada');
        index.isPaused = step.pause;
        break;
      }
      case 'pause':
        store.setPause(step.scope, step.pause ? { by: 'ada', since: this.now } : null, 'ada');
        if (step.scope.collection === undefined) this.paused.store = step.pause;
        else this.paused.collection = step.pause;
        break;
      case 'advance':
        this.clock.advance(step.ms);
        break;
      case 'reap':
        await this.#reap(step);
        break;
      case 'backfill': {
        const [target] = store.pendingBackfills();
        if (target === undefined) break;
        const finished = store.backfill(target, 0)?.finished;
        const index = target.kind === 'index' ? naive.indexes.get(target.index) : undefined;
        if (finished === true && index !== undefined) index.isReady = true;
        break;
      }
      case 'sweep':
        if (step.all) this.#sweepAll();
        else store.expiry.sweep(0);
        break;
      case 'restore':
        await this.#restore(step);
        break;
      case 'purge':
        await this.#purge(step.nth);
        break;
      case 'settings': {
        const { retention, retentionBytes } = step;
        store.settings.change({ retention, retentionBytes });
        naive.retention = { seconds: retention, bytes: retentionBytes };
        break;
      }
      case 'pin in the archive':
        store.setExpiration(ARCHIVE, step.ids, { never: true });
        for (const id of step.ids) if (naive.archive.has(id)) naive.archive.set(id, naive.nextVersion());
        break;
      case 'reopen':
        await store.close();
        this.store = this.#open();
        expect(this.store.revision).toBe(this.#revision);
        break;
    }
    naive.noteExcess();
  }

  #sweepAll(): void {
    for (let i = 0; i < 1_000; i++) if (!this.store.expiry.sweep(0)) return;
    throw new Error('the sweep does not end');
  }

  /** Returns the document that a reader would see under an `_id`, after completing what hides it [C4]. */
  #visible(id: string, completed: string[]): NaiveDocument | undefined {
    for (;;) {
      const holder = this.naive.documents.get(id);
      const hiding = holder === undefined ? null : this.naive.hiddenBy(holder, this.now);
      if (hiding === null) return holder;
      if (this.naive.expire(id, hiding.by, this.now, this.now) !== 'quarantined') completed.push(id);
    }
  }

  /** Returns the expiries that were not erased, each with the store's entry, in order of removal. */
  async #expiries(): Promise<{ naive: NaiveExpiry; reported: ExpiredEntry }[]> {
    const reported: ExpiredEntry[] = [];
    let before: string | undefined;
    do {
      const page = await this.store.reads.expired({ collection: COLLECTION, limit: 50, before }, this.now);
      reported.unshift(...page.expired.toReversed());
      before = page.next ?? undefined;
    } while (before !== undefined);
    const known = this.naive.expiries.filter(({ isErased }) => !isErased);
    expect(reported.map(({ _id, removedAt }) => [_id, removedAt])).toEqual(
      known.map(({ before: { id }, removedAt }) => [id, removedAt]),
    );
    return known.flatMap((naive, i) => {
      const entry = reported[i];
      return entry === undefined ? [] : [{ naive, reported: entry }];
    });
  }

  async #latest(nth: readonly number[]): Promise<{ naive: NaiveExpiry; reported: ExpiredEntry }[]> {
    const all = await this.#expiries();
    return nth.flatMap(n => all.at(-1 - n) ?? []);
  }

  async #restore({
    nth,
    onConflict,
    ahead,
  }: {
    nth: number[];
    onConflict: Choice[];
    ahead: number | 'never';
  }): Promise<void> {
    const chosen = await this.#latest(nth);
    const choices = Object.fromEntries(
      chosen.map(({ reported }, i) => [reported.id, onConflict[i] ?? 'skip']),
    );
    const expiration = ahead === 'never' ? ({ never: true } as const) : { after: ahead / 1_000 };
    const ids = chosen.map(({ reported }) => reported.id);
    const result = this.store.expired.restore(ids, { expiration, onConflict: 'skip', choices });
    const made = this.#inserted.filter(id => !IDS.includes(id) && !this.naive.documents.has(id));
    const failed: { _id: string; code: string }[] = [];
    const completed: string[] = [];
    for (const { naive, reported } of chosen) {
      const { id } = naive.before;
      if (reported.restorable === null) {
        failed.push({ _id: id, code: 'EXPIRED_NOT_FOUND' });
        continue;
      }
      this.#visible(id, completed);
      const outcome = this.naive.restore(naive, {
        onConflict: choices[reported.id] ?? 'skip',
        explicit: ahead === 'never' ? ahead : this.now + ahead,
        now: this.now,
        newId: () => made.shift() ?? 'a new _id that the store did not make',
      });
      if (outcome === 'in the way') failed.push({ _id: id, code: 'DOCUMENT_EXISTS' });
    }
    expect(result.failed.map(({ _id, code }) => ({ _id, code }))).toEqual(failed);
    expect(result.succeeded).toBe(chosen.length - failed.length);
    expect(this.#expired.map(({ id }) => id)).toEqual(completed);
  }

  async #purge(nth: readonly number[]): Promise<void> {
    const { purges } = this.store;
    const chosen = await this.#latest(nth);
    const ids = chosen.map(({ reported }) => reported.id);
    purges.releaseCopies(ids);
    const { lastId } = purges;
    for (let i = 0; i < 1_000 && !purges.isSwept(lastId); i++) this.store.expiry.sweep(0);
    const erased = purges.erase(ids);
    expect(erased.map(({ _id }) => _id)).toEqual(chosen.map(({ naive }) => naive.before.id));
    for (const { naive } of chosen) {
      naive.isTaken = true;
      naive.isErased = true;
    }
  }

  /** Checks what is restorable: everything that must be kept, and nothing that was evicted. */
  async compareExpiries(): Promise<void> {
    for (const { naive, reported } of await this.#expiries()) {
      const { before, keepUntil, bytes, isTaken, wasReportedEvicted, mayBeEvicted } = naive;
      if (isTaken || wasReportedEvicted || keepUntil <= this.now) {
        expect(reported.restorable, `${before.id} is gone`).toBeNull();
      } else if (reported.restorable !== null || !mayBeEvicted) {
        expect(reported.restorable, `${before.id} is kept`).toEqual({ until: keepUntil, bytes });
      }
      naive.wasReportedEvicted ||= reported.restorable === null;
    }
  }

  /** Returns the text of each named document, hidden or not. */
  async compareTexts(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const document = this.naive.documents.get(id);
      const read = this.store.reads.document({ collection: COLLECTION, id, includeExpired: true }, this.now);
      const stored = await read.then(
        answer => answer.document,
        () => undefined,
      );
      const expected = document && JSON.parse(JSON.stringify(jsonOf(document)));
      expect(stored, id).toEqual(expected);
    }
  }

  #write(ids: readonly string[], fields: Record<string, FieldValue>, mode: 'insert' | 'upsert'): void {
    const { naive, store } = this;
    const expected = { inserted: 0, updated: 0, expiredOnArrival: 0, rejected: 0 };
    const completed: string[] = [];
    // Contains the first one twice: the rest of a batch must see what it has written.
    const all = [...ids, ...ids.slice(0, 1)];
    const report = store.write(
      COLLECTION,
      all.map((id, i) => ({ value: jsonOf({ id, fields }), line: i + 1 })),
      { mode, atomic: false },
    );
    for (const id of all) {
      const holder = this.#visible(id, completed);
      if (holder !== undefined && mode === 'insert') {
        expected.rejected += 1;
        continue;
      }
      const document: NaiveDocument = {
        id,
        fields,
        updatedAt: this.now,
        explicit: holder?.explicit ?? null,
        explicitAction: holder?.explicitAction ?? 'delete',
        quarantined: new Set(),
        version: naive.nextVersion(),
      };
      naive.documents.set(id, document);
      if (holder === undefined) expected.inserted += 1;
      else expected.updated += 1;
      if (naive.isDue(document, this.now)) expected.expiredOnArrival += 1;
    }
    expect({ ...report, rejected: report.rejected.length }).toMatchObject(expected);
    expect(this.#expired.map(({ id }) => id)).toEqual(completed);
  }

  #set(ids: readonly string[], ahead: number | 'never' | 'clear', action: NaiveAction): void {
    const { naive, store } = this;
    const setting =
      ahead === 'clear'
        ? null
        : ahead === 'never'
          ? ({ never: true } as const)
          : { after: ahead / 1_000, onExpire: ACTIONS[action] };
    store.setExpiration(COLLECTION, ids, setting);
    for (const id of ids) {
      const document = naive.documents.get(id);
      // Clearing a missing expiration is no change, and so no retry of a quarantined document.
      if (document === undefined || (ahead === 'clear' && document.explicit === null)) continue;
      if (ahead === 'never' && document.explicit === 'never') continue;
      naive.documents.set(id, {
        ...document,
        explicit: ahead === 'clear' ? null : ahead === 'never' ? 'never' : this.now + ahead,
        explicitAction: typeof ahead === 'number' ? action : 'delete',
        quarantined: new Set(),
        version: naive.nextVersion(),
      });
    }
  }

  async #reap({
    source: nth,
    most,
    behind,
  }: {
    source: number;
    most: number;
    behind: number;
  }): Promise<void> {
    const { naive, store } = this;
    const { expiry } = store;
    const sources = expiry.sources().filter(({ collection }) => collection === COLLECTION);
    const source = sources[nth % sources.length];
    if (source === undefined) return;
    const stopped = this.paused.store || this.paused.collection;
    const isPaused = stopped || naive.indexes.get(source.index)?.isPaused === true;
    expect(source.isPaused).toBe(isPaused);
    const cutoff = this.now - behind;
    const due = naive.due(source.index, cutoff);
    const next = naive.due(source.index, Number.MAX_SAFE_INTEGER)[0]?.at ?? null;
    expect(expiry.nextDeadline(source)).toBe(next);
    const id = expiry.nextPassId();
    const pass = newPass({ id, collection: COLLECTION, trigger: 'manual', at: this.now });
    const { isDrained, ...counts } = expiry.reap(
      source,
      { cutoff, budgetMs: () => 1_000, maxDocuments: most, isLast: true },
      pass,
    );
    const taken = counts.removed + counts.changed + counts.quarantined;
    expect(taken).toBe(Math.min(due.length, most));
    if (due.length < most) expect(isDrained).toBe(true);
    expect(pass).toMatchObject({
      removed: counts.removed,
      changed: counts.changed,
      quarantined: counts.quarantined,
    });
    // The store chooses the order of equal deadlines, but none may go early.
    const acted = this.#expired.map(({ id }) => id);
    const of = naive.indexes.has(source.index) ? { index: source.index } : {};
    const given = await this.#list({ ...of, reason: 'quarantined', includeExpired: true });
    const givenUp = due.filter(({ id }) => given.includes(id) && !acted.includes(id));
    const order = due.slice(0, most).map(({ at }) => at);
    const found = [...this.#expired.map(({ deadlineAt = 0 }) => deadlineAt), ...givenUp.map(({ at }) => at)];
    expect(found.sort((x, y) => x - y)).toEqual(order);
    const outcomes = { removed: 0, changed: 0, quarantined: 0 };
    for (const { id, index, deadlineAt } of this.#expired) {
      expect(index).toBe(source.index);
      expect(due).toContainEqual({ id, at: deadlineAt });
      outcomes[naive.expire(id, source.index, this.now, cutoff)] += 1;
    }
    for (const { id } of givenUp) outcomes[naive.expire(id, source.index, this.now, cutoff)] += 1;
    expect(counts).toMatchObject(outcomes);
  }

  /** Compares every answer of the store with one computed from the documents alone. */
  async compare(): Promise<void> {
    const { naive, now } = this;
    const { reads } = this.store;
    const [summary] = await reads.summaries([COLLECTION], now);
    if (summary === undefined) throw new Error('the collection is gone');
    const all = [...naive.documents.values()];
    const deadlines = naive.deadlines();
    const overdue = deadlines.filter(({ at }) => at <= now);
    const ahead = deadlines.filter(({ at }) => at > now);
    const bytes = all.reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(jsonOf(one))), 0);
    expect(summary).toMatchObject({
      documents: all.length,
      bytes,
      pinned: all.filter(({ explicit }) => explicit === 'never').length,
      oldestOverdueAt: overdue.length === 0 ? null : Math.min(...overdue.map(({ at }) => at)),
      nextDeadlineAt: summary.recounting
        ? expect.anything()
        : ahead.length === 0
          ? null
          : Math.min(...ahead.map(({ at }) => at)),
      ...(summary.recounting
        ? { oldestOverdueAt: summary.oldestOverdueAt, nextDeadlineAt: summary.nextDeadlineAt }
        : {}),
    });
    if (!summary.recounting) {
      expect(summary).toMatchObject({ withDeadline: deadlines.length, overdue: overdue.length });
    }
    expect(summary.quarantined).toBe(all.reduce((sum, { quarantined }) => sum + quarantined.size, 0));
    const [archive] = await reads.summaries([ARCHIVE], now);
    expect(archive?.documents).toBe(naive.archive.size);
    await this.compareExpiries();
    await this.compareTexts(IDS);
    await this.#compareIndexes();
    await this.#compareLists();
    await this.#compareTimeline(summary.recounting);
  }

  async #compareIndexes(): Promise<void> {
    const { naive, now } = this;
    const indexes = await this.store.reads.indexes(COLLECTION, now);
    expect(indexes.map(({ name }) => name).sort()).toEqual([...naive.indexes.keys()].sort());
    for (const reported of indexes) {
      const index = naive.indexes.get(reported.name);
      if (index === undefined) continue;
      expect(reported.state).toBe(!index.isReady ? 'building' : index.isObserving ? 'observing' : 'ready');
      if (!index.isReady) continue;
      const all = [...naive.documents.values()];
      const at = all.flatMap(document => naive.deadlineBy(index, document) ?? []);
      const reasons: Record<string, number> = {};
      for (const document of all) {
        const reason = naive.reasonBy(index, document);
        if (reason !== null) reasons[reason] = (reasons[reason] ?? 0) + 1;
      }
      expect(reported).toMatchObject({
        documents: at.length,
        overdue: at.filter(one => one <= now).length,
        oldestOverdueAt: at.some(one => one <= now) ? Math.min(...at) : null,
        dueNextHour: at.filter(one => one > now && one <= now + HOUR).length,
        nextDeadlineAt: at.some(one => one > now) ? Math.min(...at.filter(one => one > now)) : null,
      });
      expect(Object.fromEntries(reported.never.reasons.map(({ reason, count }) => [reason, count]))).toEqual(
        reasons,
      );
    }
  }

  async #list(query: Partial<Parameters<EmbeddedStore['reads']['documents']>[0]>): Promise<string[]> {
    const ids: string[] = [];
    let after: string | undefined;
    for (let page = 0; page < 1_000; page++) {
      const answer = await this.store.reads.documents(
        {
          collection: COLLECTION,
          limit: 7,
          sort: '_id',
          order: 'asc',
          includeExpired: false,
          ...query,
          after,
        },
        this.now,
      );
      ids.push(...answer.documents.map(({ _id }) => _id));
      if (answer.next === null) return ids;
      after = answer.next;
    }
    throw new Error('the pages do not end');
  }

  async #compareLists(): Promise<void> {
    const { naive, now } = this;
    const ids = [...naive.documents.keys()].sort();
    const visible = ids.filter(id => {
      const document = naive.documents.get(id);
      return document !== undefined && !naive.isHidden(document, now);
    });
    expect(await this.#list({})).toEqual(visible);
    expect(await this.#list({ order: 'desc', includeExpired: true })).toEqual([...ids].reverse());
    const at = (id: string) => {
      const document = naive.documents.get(id);
      return document === undefined ? null : (naive.governed(document)?.at ?? null);
    };
    for (const order of ['asc', 'desc'] as const) {
      const listed = await this.#list({ sort: 'deadline', order, includeExpired: true });
      expect([...listed].sort()).toEqual(ids);
      const sign = order === 'asc' ? 1 : -1;
      const sorted = [...listed].sort((a, b) => {
        const [x, y] = [at(a), at(b)];
        if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
        return sign * (x - y);
      });
      expect(listed.map(at)).toEqual(sorted.map(at));
      const shown = await this.#list({ sort: 'deadline', order });
      expect([...shown].sort()).toEqual(visible);
    }
    const isByUpdate = [...naive.indexes.values()].some(
      ({ isReady, source }) => isReady && source.kind === 'lastModified',
    );
    for (const order of isByUpdate ? (['asc', 'desc'] as const) : []) {
      const listed = await this.#list({ sort: 'updatedAt', order, includeExpired: true });
      expect([...listed].sort()).toEqual(ids);
      const times = listed.map(id => naive.documents.get(id)?.updatedAt ?? 0);
      expect(times).toEqual([...times].sort((x, y) => (order === 'asc' ? x - y : y - x)));
    }
    const states = {
      overdue: [],
      paused: [],
      soon: [],
      live: [],
      never: [],
      pinned: [],
      quarantined: [],
    } as Record<string, string[]>;
    for (const id of ids) {
      const document = naive.documents.get(id);
      if (document === undefined) continue;
      states[this.#state(document)]?.push(id);
    }
    for (const state of ['overdue', 'paused', 'soon', 'live', 'never', 'pinned', 'quarantined'] as const) {
      expect([...(await this.#list({ state }))].sort(), state).toEqual(states[state]);
    }
    const window = { dueFrom: now - 10 * SECOND, dueTo: now + 30 * SECOND };
    expect([...(await this.#list({ ...window, includeExpired: true }))].sort()).toEqual(
      ids.filter(id => {
        const deadline = at(id);
        return deadline !== null && deadline >= window.dueFrom && deadline < window.dueTo;
      }),
    );
  }

  #state(document: NaiveDocument): string {
    const deadline = this.naive.governed(document);
    if (document.explicit === 'never') return 'pinned';
    if (deadline === null) return document.quarantined.size > 0 ? 'quarantined' : 'never';
    if (deadline.at > this.now) return deadline.at - this.now < HOUR ? 'soon' : 'live';
    const stopped = this.paused.store || this.paused.collection;
    return stopped || this.naive.indexes.get(deadline.by)?.isPaused === true ? 'paused' : 'overdue';
  }

  async #compareTimeline(recounting: boolean): Promise<void> {
    const { naive, now } = this;
    const second = Math.floor(now / SECOND) * SECOND;
    const spans = [
      { from: second - 30 * SECOND, to: second + 30 * SECOND, buckets: 60 },
      { from: second - 10 * MINUTE, to: second + 10 * MINUTE, buckets: 7 * 2 },
      {
        from: Math.floor(now / DAY) * DAY - 2 * DAY,
        to: Math.floor(now / DAY) * DAY + 4 * DAY,
        buckets: 144,
      },
    ];
    for (const span of spans) {
      const { buckets, overdue } = await this.store.reads.timeline({ collection: COLLECTION, ...span }, now);
      if (!recounting) expect(overdue).toBe(naive.deadlines().filter(({ at }) => at <= now).length);
      const width = (span.to - span.from) / span.buckets;
      const inBucket = (i: number) => (one: { at: number }) => {
        return one.at >= span.from + i * width && one.at < span.from + (i + 1) * width;
      };
      const whole = Number.isInteger(width / SECOND);
      for (const [i, bucket] of buckets.entries()) {
        const due = naive.deadlines().filter(inBucket(i));
        const expired = naive.expired.filter(inBucket(i));
        if (!recounting) expect(bucket.due, `due in bucket ${i}`).toBe(due.length);
        if (whole) expect(bucket.expired, `expired in bucket ${i}`).toBe(expired.length);
        if (recounting || !whole) continue;
        for (const [by, split] of Object.entries(bucket.byIndex)) {
          expect(split).toEqual({
            due: due.filter(one => one.by === by).length,
            expired: expired.filter(one => one.by === by).length,
          });
        }
      }
    }
  }

  async build(): Promise<void> {
    for (let i = 0; i < 50 && this.store.pendingBackfills().length > 0; i++)
      await this.run({ do: 'backfill' });
  }

  /** Finishes every build, so that all counts can be compared. */
  async finish(): Promise<void> {
    await this.build();
    await this.compare();
    for (let i = 0; i < 200 && this.store.expiry.sweep(0); i++);
    expect(this.store.unswept()).toBe(0);
    await this.compare();
  }
}

describe('a store after any history', () => {
  it('[D2, D7, D8, D9, A1, A2, A3, A4, A5, R1, V1, X1, X2, C4, E1] equals a naive one that computes from every document', async () => {
    await fc.assert(
      fc.asyncProperty(
        prelude,
        fc.array(operation, { minLength: 5, maxLength: 40 }),
        async (first, operations) => {
          const folder = mkdtempSync(join(tmpdir(), 'sandglass-naive-'));
          const pair = new Pair(join(folder, 'store'));
          try {
            const others = Array.from({ length: OTHERS }, (_, i) => `other ${i}`);
            const far = { at: NOON + 50 * DAY };
            for (let i = 0; i < OTHERS; i += 10) {
              await pair.run({
                do: 'write',
                ids: others.slice(i, i + 10),
                fields: {
                  a: { json: far.at, reading: far },
                  b: { json: null, reading: { reason: 'missing field' } },
                  t: MISSING,
                },
                mode: 'upsert',
              });
            }
            for (const step of first) await pair.run(step);
            await pair.build();
            for (const step of first.length === 0 ? [] : DUE_AT_ONCE) await pair.run(step);
            if (first.length > 0) await pair.compare();
            for (const [i, step] of operations.entries()) {
              await pair.run(step);
              if (i % 4 === 3) await pair.compare();
            }
            await pair.finish();
            await pair.store.close();
            expect(disagreements(pair.file)).toEqual([]);
          } finally {
            await pair.store.close();
            rmSync(folder, { recursive: true, force: true });
          }
        },
      ),
      {
        numRuns: Number(process.env.SANDGLASS_RUNS ?? 16),
        ...(process.env.SANDGLASS_SEED ? { seed: Number(process.env.SANDGLASS_SEED) } : {}),
      },
    );
  }, 120_000);
});

/** Few documents, nearly always due, so that rows are freed and their numbers used again. */
const FEW = IDS.slice(0, 3);
const few = fc.uniqueArray(fc.constantFrom(...FEW), { minLength: 1, maxLength: 2 });
const dueField = fc
  .constantFrom(NOON - SECOND, NOON - SECOND, NOON + SECOND)
  .map(at => ({ json: at, reading: { at } }));
/** Often too little for a single copy, so that copies are evicted before their retention ends. */
const tightSettings: fc.Arbitrary<Operation> = fc.record({
  do: fc.constant('settings' as const),
  retention: fc.constantFrom(5, 86_400, 86_400, 86_400),
  retentionBytes: fc.constantFrom(40, 40, 100, 1024 ** 3),
});
const expiring: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      ids: few,
      fields: fc.record({ a: dueField, b: fieldValue, t: fc.constant(MISSING) }),
      mode: fc.constantFrom('insert' as const, 'upsert' as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('reap' as const),
      source: fc.nat(1),
      most: fc.constantFrom(1, 1_000, 1_000),
      behind: fc.constant(0),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'sweep' as const, all: true }) },
  { weight: 1, arbitrary: fc.constant({ do: 'sweep' as const, all: false }) },
  { weight: 3, arbitrary: restoring },
  { weight: 1, arbitrary: purging },
  { weight: 4, arbitrary: tightSettings },
  { weight: 1, arbitrary: settings },
  { weight: 2, arbitrary: fc.constant({ do: 'reopen' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), ids: few }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      ids: few,
      ahead: fc.constantFrom(1_000, 'never' as const, 'clear' as const),
      action,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pin in the archive' as const), ids: few }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.constantFrom(0, 3 * SECOND, 6 * SECOND, HOUR),
    }),
  },
);

/** Documents that arrive and expire at once, some of them swept: rows are freed from the last one on. */
const comeAndGo: fc.Arbitrary<Operation[]> = fc.tuple(few, fc.boolean()).map(([ids, isSwept]) => {
  const at = NOON - SECOND;
  const fields = { a: { json: at, reading: { at } }, b: MISSING, t: MISSING };
  const reap = (source: number) => ({ do: 'reap' as const, source, most: 1_000, behind: 0 });
  return [
    { do: 'write', ids, fields, mode: 'upsert' },
    reap(0),
    reap(1),
    ...(isSwept ? [{ do: 'sweep' as const, all: true }] : []),
  ];
});
const history: fc.Arbitrary<Operation[]> = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: expiring.map(step => [step]) }, { weight: 1, arbitrary: comeAndGo }),
    { minLength: 10, maxLength: 30 },
  )
  .map(steps => steps.flat());

describe('expired documents, after any history', () => {
  it('[X4, E1, A2, A4, C4] are restorable or evicted as a naive store predicts, and return unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<NaiveAction>('delete', 'delete', 'patch', 'move'),
        history,
        async (one, operations) => {
          const folder = mkdtempSync(join(tmpdir(), 'sandglass-naive-'));
          const pair = new Pair(join(folder, 'store'));
          try {
            const source = { kind: 'field', field: 'a' } as const;
            await pair.run({ do: 'create index', name: 'one', source, expireAfter: 0, action: one });
            await pair.build();
            for (const step of operations) {
              await pair.run(step);
              await pair.compareExpiries();
              await pair.compareTexts(FEW);
            }
            await pair.finish();
            await pair.store.close();
            expect(disagreements(pair.file)).toEqual([]);
          } finally {
            await pair.store.close();
            rmSync(folder, { recursive: true, force: true });
          }
        },
      ),
      {
        numRuns: Number(process.env.SANDGLASS_RUNS ?? 16),
        ...(process.env.SANDGLASS_SEED ? { seed: Number(process.env.SANDGLASS_SEED) } : {}),
      },
    );
  }, 120_000);
});
