import type { BeforeCommit, ExpiryStore, ReapSource } from './expiry-store.ts';
import type { NextDeadlines } from './next-deadlines.ts';
import { continues, hasSchedule, isAhead, isDueAt, lastScheduled, type Tick } from './schedule/ticks.ts';

/**
 * The last tick of each source with a schedule [R1]. A tick opens at the latest scheduled time since the previous tick
 * if documents are due then. It stays open, with its cutoff, until no document due at the cutoff is left [R2] or, if a
 * cap ended its pass, until the next tick [R3]. A paused or held source does not tick; afterwards it catches up with
 * the latest tick it missed.
 *
 * A tick is stored by the first transaction that changes its collection afterwards, in that transaction. So a write
 * that is due on arrival is never stored without the tick before it, whenever the process ends; and ticks without due
 * documents cost no write in a collection without changes.
 */
export class LastTicks {
  readonly #store: ExpiryStore;
  readonly #deadlines: NextDeadlines;
  readonly #ticks = new Map<string, Tick>();
  /** As stored. */
  readonly #stored = new Map<string, Tick>();
  #scheduledFrom: readonly ReapSource[] = [];
  #scheduled: readonly ReapSource[] = [];
  /** The sources of which something may be known. */
  #kept: readonly ReapSource[] = [];

  constructor(store: ExpiryStore, deadlines: NextDeadlines) {
    this.#store = store;
    this.#deadlines = deadlines;
  }

  /**
   * Returns up to which deadline the source may act at `now`, epoch ms [R2]; negative infinity between two ticks. At most `now`: a
   * tick may be ahead after the clock was set back [D10].
   */
  cutoff(source: ReapSource, now: number): number {
    if (!hasSchedule(source)) return lastScheduled(source, now);
    const tick = this.of(source, now);
    return continues(tick, this.#store.settings()) ? Math.min(tick.at, now) : Number.NEGATIVE_INFINITY;
  }

  /** Returns the last tick of a source that has a schedule, as of `now`. */
  of(source: ReapSource, now: number): Tick {
    const tick = this.#advanced(source, now, () => this.#deadlines.of(source));
    this.#ticks.set(source.key, tick);
    return tick;
  }

  /** Marks the open tick as ended by a cap [R3]. */
  capped(source: ReapSource): void {
    const tick = this.#ticks.get(source.key);
    if (tick?.state !== 'open') return;
    const capped = { ...tick, state: 'capped' as const };
    this.#ticks.set(source.key, capped);
    // Stored at once: there may be no other write before a restart, and after the restart this tick must not continue.
    this.#store.writeTick(source, capped);
    this.#stored.set(source.key, capped);
  }

  /**
   * Stores the ticks that precede a change of `collections`. Called inside the transaction, before it commits: so the
   * batch that removes the last document of a tick closes it, and opens a tick that came meanwhile [R2]. Nothing of this
   * is known until the transaction is committed: if it is rolled back, the documents are still there, and the tick goes
   * on with them.
   */
  store(
    collections: ReadonlySet<string>,
    now: number,
    { afterCommit, isReplaced }: Parameters<BeforeCommit>[1],
  ): void {
    const scheduled = this.#scheduledSources();
    const ticks = new Map<string, Tick>();
    for (const source of scheduled) {
      if (!collections.has(source.collection) || isReplaced(source)) continue;
      const tick = this.#advanced(source, now, () => this.#deadlines.peek(source));
      ticks.set(source.key, tick);
      if (!isSame(this.#stored.get(source.key) ?? source.tick, tick)) this.#store.writeTick(source, tick);
    }
    afterCommit(() => {
      for (const [key, tick] of ticks) {
        this.#ticks.set(key, tick);
        this.#stored.set(key, tick);
      }
      this.#keepOnly(scheduled);
    });
  }

  /** Returns the last tick as of `now`, without a change of what is known. */
  #advanced(source: ReapSource, now: number, deadline: () => number | null): Tick {
    const known = this.#ticks.get(source.key);
    // A changed schedule has no tick before its change.
    let tick = known?.since === source.tick.since ? known : source.tick;
    if (isAhead(source, tick, now)) tick = { since: tick.since, at: now, state: 'closed' };
    if (!source.isPaused && !source.isHeld) {
      if (tick.state !== 'closed' && !isDueAt(deadline(), tick.at)) tick = { ...tick, state: 'closed' };
      const at = continues(tick, this.#store.settings()) ? tick.at : lastScheduled(source, now);
      if (at > tick.at) tick = { since: tick.since, at, state: isDueAt(deadline(), at) ? 'open' : 'closed' };
    }
    return tick;
  }

  #scheduledSources(): readonly ReapSource[] {
    const sources = this.#store.sources();
    if (this.#scheduledFrom !== sources) {
      this.#scheduledFrom = sources;
      this.#scheduled = sources.filter(hasSchedule);
    }
    return this.#scheduled;
  }

  /** Forgets sources that are gone. */
  #keepOnly(scheduled: readonly ReapSource[]): void {
    if (this.#kept === scheduled) return;
    this.#kept = scheduled;
    const keys = new Set(scheduled.map(({ key }) => key));
    for (const map of [this.#ticks, this.#stored])
      for (const key of map.keys()) if (!keys.has(key)) map.delete(key);
  }
}

function isSame(a: Tick, b: Tick): boolean {
  return a.since === b.since && a.at === b.at && a.state === b.state;
}
