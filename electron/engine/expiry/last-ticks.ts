import type { ExpiryStore, ReapSource } from './expiry-store.ts';
import type { NextDeadlines } from './next-deadlines.ts';
import { continues, hasSchedule, isDueAt, lastScheduled, type Tick } from './schedule/ticks.ts';

/**
 * The last tick of each source with a schedule [R1]. A tick opens at the latest scheduled time since the previous one
 * if something is due then. It stays open, with its cutoff, until that is drained [R2] or, if a cap ended its pass,
 * until the next tick [R3]. A paused or held source does not tick; afterwards it catches up with the latest tick it
 * missed.
 *
 * A tick is stored by the first transaction that changes its collection afterwards, in that transaction. So a write
 * that is due on arrival is never stored without the tick that preceded it, whenever the process ends; and ticks that
 * find nothing in a collection without writes cost nothing.
 */
export class LastTicks {
  readonly #store: ExpiryStore;
  readonly #deadlines: NextDeadlines;
  readonly #ticks = new Map<string, Tick>();
  /** As stored. */
  readonly #stored = new Map<string, Tick>();
  /** Written in the transaction that is about to commit. */
  #written = new Map<string, Tick>();
  #scheduledFrom: readonly ReapSource[] = [];
  #scheduled: readonly ReapSource[] = [];

  constructor(store: ExpiryStore, deadlines: NextDeadlines) {
    this.#store = store;
    this.#deadlines = deadlines;
  }

  /** Returns up to which deadline the source may act at `now`, epoch ms [R2]; negative infinity between two ticks. */
  cutoff(source: ReapSource, now: number): number {
    if (!hasSchedule(source)) return lastScheduled(source, now);
    const tick = this.of(source, now);
    return continues(tick, this.#store.settings()) ? tick.at : Number.NEGATIVE_INFINITY;
  }

  /** Returns the last tick of a source that has a schedule, as of `now`. */
  of(source: ReapSource, now: number): Tick {
    return this.#advance(source, now, () => this.#deadlines.of(source));
  }

  /** Closes the open tick: nothing that it found due is left. */
  drained(source: ReapSource): void {
    const tick = this.#ticks.get(source.key);
    if (tick !== undefined && tick.state !== 'closed')
      this.#ticks.set(source.key, { ...tick, state: 'closed' });
  }

  /** Marks the open tick as ended by a cap [R3]. */
  capped(source: ReapSource): void {
    const tick = this.#ticks.get(source.key);
    if (tick?.state !== 'open') return;
    const capped = { ...tick, state: 'capped' as const };
    this.#ticks.set(source.key, capped);
    // Stored at once: nothing else may be written before a restart, which must not continue this tick.
    this.#store.writeTick(source, capped);
    this.#stored.set(source.key, capped);
  }

  /** Stores the ticks that precede a change of `collections`. Called inside the transaction, before it commits. */
  store(collections: ReadonlySet<string>, now: number): void {
    this.#written = new Map();
    for (const source of this.#scheduledSources()) {
      if (!collections.has(source.collection)) continue;
      // Read without caching: this transaction may still fail.
      const tick = this.#advance(source, now, () => this.#deadlines.peek(source));
      if (isSame(this.#stored.get(source.key) ?? source.tick, tick)) continue;
      this.#store.writeTick(source, tick);
      this.#written.set(source.key, tick);
    }
  }

  /** Marks the written ticks as durable. */
  committed(): void {
    for (const [key, tick] of this.#written) this.#stored.set(key, tick);
    this.#written = new Map();
  }

  #advance(source: ReapSource, now: number, deadline: () => number | null): Tick {
    const known = this.#ticks.get(source.key);
    // A changed schedule counts from its change.
    let tick = known?.since === source.tick.since ? known : source.tick;
    if (!source.isPaused && !source.isHeld) {
      if (tick.state !== 'closed' && !isDueAt(deadline(), tick.at)) tick = { ...tick, state: 'closed' };
      const at = continues(tick, this.#store.settings()) ? tick.at : lastScheduled(source, now);
      if (at > tick.at) tick = { since: tick.since, at, state: isDueAt(deadline(), at) ? 'open' : 'closed' };
    }
    this.#ticks.set(source.key, tick);
    return tick;
  }

  #scheduledSources(): readonly ReapSource[] {
    const sources = this.#store.sources();
    if (this.#scheduledFrom !== sources) {
      this.#scheduledFrom = sources;
      this.#scheduled = sources.filter(hasSchedule);
      const keys = new Set(this.#scheduled.map(({ key }) => key));
      for (const map of [this.#ticks, this.#stored])
        for (const key of map.keys()) if (!keys.has(key)) map.delete(key);
    }
    return this.#scheduled;
  }
}

function isSame(a: Tick, b: Tick): boolean {
  return a.since === b.since && a.at === b.at && a.state === b.state;
}
