import type { NextDeadlines } from './next-deadlines.ts';
import type { ExpiryStore, ReapSource } from './port.ts';
import { goesOn, hasSchedule, isDueAt, type Look, lastScheduled } from './schedule/ticks.ts';

/**
 * The last look of each source with a schedule [R1]. A look opens at the latest time that the schedule has named since
 * the one before, if something is due then; it stays open, with its cutoff, until that is drained [R2] or, where a cap ended
 * its pass, until the next look [R3]. While a source is paused or held it does not look, so that of all it missed the latest is made up.
 *
 * A look is stored by the first transaction that changes its collection afterwards, in that transaction. So a write that
 * is due on arrival is never stored without the look it came after, whatever is cut off when; and looks that find nothing
 * in a collection that nobody writes to cost nothing.
 */
export class LastLooks {
  readonly #store: ExpiryStore;
  readonly #deadlines: NextDeadlines;
  readonly #looks = new Map<string, Look>();
  /** As the store has them. */
  readonly #stored = new Map<string, Look>();
  /** Written in the transaction that is about to commit. */
  #written = new Map<string, Look>();
  #scheduledOf: readonly ReapSource[] = [];
  #scheduled: readonly ReapSource[] = [];

  constructor(store: ExpiryStore, deadlines: NextDeadlines) {
    this.#store = store;
    this.#deadlines = deadlines;
  }

  /** Up to which deadline the source may act at `now`; negative infinity: it is between two looks. Epoch ms [R2]. */
  cutoff(source: ReapSource, now: number): number {
    if (!hasSchedule(source)) return lastScheduled(source, now);
    const look = this.of(source, now);
    return goesOn(look, this.#store.settings()) ? look.at : Number.NEGATIVE_INFINITY;
  }

  /** The last look of a source that has a schedule, as of `now`. */
  of(source: ReapSource, now: number): Look {
    return this.#advance(source, now, () => this.#deadlines.of(source));
  }

  /** Nothing that the open look found due is left. */
  drained(source: ReapSource): void {
    const look = this.#looks.get(source.key);
    if (look !== undefined && look.state !== 'closed')
      this.#looks.set(source.key, { ...look, state: 'closed' });
  }

  /** A cap has ended the pass of the open look [R3]. */
  capped(source: ReapSource): void {
    const look = this.#looks.get(source.key);
    if (look?.state !== 'open') return;
    const capped = { ...look, state: 'capped' as const };
    this.#looks.set(source.key, capped);
    // Nothing else may be written before a restart, which is not to go on with it.
    this.#store.writeLook(source, capped);
    this.#stored.set(source.key, capped);
  }

  /** Inside a transaction that changes `collections`, before it commits: stores the looks that it comes after. */
  store(collections: ReadonlySet<string>, now: number): void {
    this.#written = new Map();
    for (const source of this.#scheduledSources()) {
      if (!collections.has(source.collection)) continue;
      // As it was before this transaction, which may yet fail: what is asked in here is not remembered.
      const look = this.#advance(source, now, () => this.#deadlines.peek(source));
      if (isSame(this.#stored.get(source.key) ?? source.look, look)) continue;
      this.#store.writeLook(source, look);
      this.#written.set(source.key, look);
    }
  }

  /** That transaction is durable. */
  committed(): void {
    for (const [key, look] of this.#written) this.#stored.set(key, look);
    this.#written = new Map();
  }

  #advance(source: ReapSource, now: number, deadline: () => number | null): Look {
    const known = this.#looks.get(source.key);
    // A changed schedule counts from its change.
    let look = known?.since === source.look.since ? known : source.look;
    if (!source.isPaused && !source.isHeld) {
      if (look.state !== 'closed' && !isDueAt(deadline(), look.at)) look = { ...look, state: 'closed' };
      const at = goesOn(look, this.#store.settings()) ? look.at : lastScheduled(source, now);
      if (at > look.at) look = { since: look.since, at, state: isDueAt(deadline(), at) ? 'open' : 'closed' };
    }
    this.#looks.set(source.key, look);
    return look;
  }

  #scheduledSources(): readonly ReapSource[] {
    const sources = this.#store.sources();
    if (this.#scheduledOf !== sources) {
      this.#scheduledOf = sources;
      this.#scheduled = sources.filter(hasSchedule);
      const keys = new Set(this.#scheduled.map(({ key }) => key));
      for (const map of [this.#looks, this.#stored])
        for (const key of map.keys()) if (!keys.has(key)) map.delete(key);
    }
    return this.#scheduled;
  }
}

function isSame(a: Look, b: Look): boolean {
  return a.since === b.since && a.at === b.at && a.state === b.state;
}
