import type { EmbeddedEngine } from '../../../electron/engine/api/context.ts';
import type { Commit } from '../../../electron/engine/backends/backend.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { checkBreaker, dueByIndex } from './breaker-check.ts';
import { takeDefinitions } from './definitions-in-effect.ts';
import { RemovalLimits } from './removal-limits.ts';
import { type Intent, NO_INTENT, SimulatedModel } from './simulated-model.ts';

type Backend = EmbeddedEngine['backend'];

/** Who has caused the commits that come now. */
type Cause = 'a call or the reaper' | 'a confirmation' | 'an opening';

/** A call that is running, and what it may change. */
interface Call {
  readonly intent: Intent;
  /** Tells the model what the call's commit does beside the documents. */
  readonly tell: (() => void) | null;
}

const NO_CALL: Call = { intent: NO_INTENT, tell: null };

/** Gives each commit of a store to its model, and judges it by the limits of removals and the circuit breaker. */
export class CommitJudge {
  model = new SimulatedModel();
  cause: Cause = 'a call or the reaper';
  readonly limits = new RemovalLimits();
  readonly #clock: Pick<ManualClock, 'elapsed' | 'uptime'>;
  #call: Call = NO_CALL;
  #changed = new Set<string>();

  constructor(clock: Pick<ManualClock, 'elapsed' | 'uptime'>) {
    this.#clock = clock;
  }

  beginCall(intent: Partial<Intent>, tell: (() => void) | null): void {
    this.#call = { intent: { ...NO_INTENT, ...intent }, tell };
    this.#changed = new Set();
  }

  endCall(): void {
    this.#call = NO_CALL;
  }

  /** Ids that changed since the last call began, other than by expiring. */
  get changed(): ReadonlySet<string> {
    return new Set(this.#changed);
  }

  /** Takes a commit that was made at the trusted time `now`. Returns the number of expiries by the reaper. Throws if it is wrong. */
  judge(commit: Commit, backend: Backend, now: number): number {
    this.#takeDefinitions(backend, now);
    const { model } = this;
    const { intent, tell } = this.#call;
    if (tell !== null && !commit.changes.some(({ kind }) => kind === 'expire')) {
      tell();
      this.#call = { intent, tell: null };
    }
    model.stopped = { ...model.stopped, held: this.#heldIn(backend) };
    const removed = model.apply(commit, intent, now);
    for (const { kind, id } of commit.changes) if (kind !== 'expire') this.#changed.add(id);
    this.#judgeLimits(removed, backend, now);
    return removed.length;
  }

  /**
   * Returns the collections that are held; null: the whole store. Commits of an opening are read after all of them: a hold that the build of an
   * index has placed among them may be later than the expiries before.
   */
  #heldIn(backend: Backend): ReadonlySet<string | null> {
    const { held } = this.model.stopped;
    const isInEffect = ({ cause, collection }: { cause: string; collection: string | null }) =>
      this.cause !== 'an opening' || cause !== 'definition' || held.has(collection);
    const holds = backend.holds.list().filter(isInEffect);
    return new Set(holds.map(({ collection }) => collection));
  }

  #takeDefinitions(backend: Backend, now: number): void {
    const { collections } = this.model;
    const before = new Map([...collections].map(([name, naive]) => [name, dueByIndex(naive, now)]));
    takeDefinitions(this.model, backend);
    // A person may confirm what the breaker has held; definitions that an opening has put in effect were counted at another moment.
    if (this.cause !== 'a call or the reaper') return;
    const settings = backend.settings.get();
    for (const [name, naive] of collections) {
      const due = dueByIndex(naive, now);
      checkBreaker(before.get(name) ?? new Map(), due, naive.documents.size, settings);
    }
  }

  #judgeLimits(removed: Commit['changes'], backend: Backend, now: number): void {
    // A pass by hand obeys no rate, and has a cap of its own.
    if (this.model.stopped.isByHand) return;
    this.limits.checkRates(
      removed.map(({ collection, index = '' }) => ({ collection, index })),
      this.#clock.elapsed(),
    );
    for (const [collection, changes] of Map.groupBy(removed, change => change.collection)) {
      const sources = backend.expiry.sources().filter(source => source.collection === collection);
      // An index with a schedule begins a pass at its tick, also within the second for which the others wait.
      if (sources.some(({ schedule }) => schedule.mode === 'every' || schedule.mode === 'cron')) continue;
      this.limits.checkCap(collection, changes.length, { trusted: now, uptime: this.#clock.uptime() });
    }
  }
}
