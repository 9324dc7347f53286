import { expect } from 'vitest';
import {
  type EmbeddedStore,
  openEmbeddedStore,
} from '../../../../electron/engine/backends/embedded/store.ts';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { NOON } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import {
  type FieldValue,
  jsonOf,
  type NaiveAction,
  NaiveCollection,
  type NaiveDocument,
  type NaiveExpiry,
} from '../../../support/naive-store.ts';
import {
  ACTIONS,
  ARCHIVE,
  addedMs,
  type Choice,
  COLLECTION,
  IDS,
  type Operation,
  toSource,
} from './naive-store-operations.ts';

/** The engine's store and the naive model, which run the same operations. */
export class StorePair {
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
        for (const id of step.ids) naive.delete(id, this.now);
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
  async expiries(): Promise<{ naive: NaiveExpiry; reported: ExpiredEntry }[]> {
    const reported: ExpiredEntry[] = [];
    let before: string | undefined;
    do {
      const page = await this.store.reads.expired({ collection: COLLECTION, limit: 50, before }, this.now);
      reported.unshift(...page.expired.toReversed());
      before = page.next ?? undefined;
    } while (before !== undefined);
    const known = this.naive.expiries.filter(({ isErased }) => !isErased);
    expect(reported.map(({ _id, removedAt, cause }) => [_id, removedAt, cause])).toEqual(
      known.map(({ before: { id }, removedAt, cause }) => [id, removedAt, cause]),
    );
    return known.flatMap((naive, i) => {
      const entry = reported[i];
      return entry === undefined ? [] : [{ naive, reported: entry }];
    });
  }

  async #latest(nth: readonly number[]): Promise<{ naive: NaiveExpiry; reported: ExpiredEntry }[]> {
    const all = await this.expiries();
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

  #write(ids: readonly string[], fields: Record<string, FieldValue>, mode: 'insert' | 'upsert'): void {
    const { naive, store } = this;
    const expected = { inserted: 0, updated: 0, expiredOnArrival: 0, rejected: 0 };
    const completed: string[] = [];
    // Contains the first document twice: the rest of a batch must see the earlier write.
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
      // Clearing a missing expiration changes nothing, so a quarantined document is not retried.
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
    // The store chooses the order of equal deadlines, but no document may be removed early.
    const acted = this.#expired.map(({ id }) => id);
    const of = naive.indexes.has(source.index) ? { index: source.index } : {};
    const given = await this.list({ ...of, reason: 'quarantined', includeExpired: true });
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

  /** Returns the `_id`s of all pages of a list. */
  async list(query: Partial<Parameters<EmbeddedStore['reads']['documents']>[0]>): Promise<string[]> {
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

  /** Finishes every index build. */
  async build(): Promise<void> {
    for (let i = 0; i < 50 && this.store.pendingBackfills().length > 0; i++)
      await this.run({ do: 'backfill' });
  }
}
