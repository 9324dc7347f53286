import Sqlite from 'better-sqlite3';
import { expect } from 'vitest';
import { type EmbeddedStore, openEmbeddedStore } from '../../electron/engine/backends/embedded/store.ts';
import { newPass } from '../../electron/engine/expiry/passes.ts';
import { ttlSource } from '../../shared/contract/ttl-indexes.ts';
import type { OnExpire, TtlSource } from '../../shared/model/ttl-index.ts';
import { on } from './documents.ts';
import { DAY, NOON } from './engine.ts';
import { BY, deletingIndex } from './interval-steps.ts';
import { createManualClock } from './manual-clock.ts';
import { temporaryStoreFile } from './temporary.ts';

const ALL = { mode: 'upsert', atomic: false } as const;
const LIST = { collection: 'c', limit: 10_000, sort: '_id', order: 'asc' } as const;

/** A store without a reaper of its own, which the test makes act and sweep, step by step. */
export class Stepped {
  readonly file: string;
  readonly clock = createManualClock(NOON);
  readonly intervalFrom: number | null;
  store: EmbeddedStore;
  /** Expired intervals by the kind of their source. */
  readonly intervals = new Map<string, number>();
  #lastInterval = 0;
  #wrap = (store: EmbeddedStore) => store;

  constructor(intervalFrom: number | null, file = temporaryStoreFile()) {
    this.file = file;
    this.intervalFrom = intervalFrom;
    this.store = this.#open();
  }

  #open(): EmbeddedStore {
    const { file, clock, intervalFrom } = this;
    return this.#wrap(openEmbeddedStore({ file, clock, reads: 'inline', intervalFrom }));
  }

  /** Replaces the store, also when it is opened again. */
  wrap(wrap: (store: EmbeddedStore) => EmbeddedStore): void {
    this.#wrap = wrap;
    this.store = wrap(this.store);
  }

  /** `change` is given the closed file. */
  async reopen(change: (file: string) => void = () => {}): Promise<void> {
    await this.store.close();
    change(this.file);
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

  /** Sweeps until late entries are being put back, or all is swept; then so many steps more. */
  sweepIntoLate(steps: number): void {
    const db = new Sqlite(this.file, { readonly: true });
    const ended = db.prepare('SELECT 1 FROM expired_intervals WHERE through_reference < 0');
    while (ended.get() === undefined && this.store.expiry.sweep(0));
    db.close();
    this.sweep(steps);
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

/** A store with one index; `intervalFrom` as in the store's options. */
export function indexed(intervalFrom: number | null, source: TtlSource = on('exp'), file?: string): Stepped {
  const stepped = new Stepped(intervalFrom, file);
  stepped.store.createCollection('c');
  stepped.store.createIndex('c', deletingIndex(source), BY);
  stepped.build();
  return stepped;
}
