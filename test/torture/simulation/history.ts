import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DAY } from '../../support/engine.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { Random } from '../../support/random.ts';
import { comeToRest, openFromBackup } from './come-to-rest.ts';
import { compareQuarantine, compareReaders } from './compare-readers.ts';
import { FEATURES } from './features.ts';
import { withLateTimers } from './late-timers.ts';
import { COLLECTIONS } from './simulated-model.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { SimulatedStore } from './simulated-store.ts';

/** 21 November 2026, noon, UTC. */
const START = Date.UTC(2026, 10, 21, 12);
/** Share of the steps after which every reader is compared, beside those after which a file was opened. */
const COMPARED = 0.3;

/** One step, always the same for its seed on the same store. */
export interface Step {
  readonly feature: string;
  readonly seed: number;
}

/** Input of a history: the same plan gives the same history. */
export interface Plan {
  readonly seed: number;
  readonly steps: readonly Step[];
  /** Stores that are open in the process at the same time. */
  readonly stores: number;
  readonly collections: readonly [string, ...string[]];
  /** Names of the indexes of a collection: one alone may expire as an interval. */
  readonly indexes: readonly [string, ...string[]];
  readonly isForYears: boolean;
  readonly hasLateTimers: boolean;
  /** At its end each store is opened from a backup, which holds all that is due [B1, R9]. */
  readonly endsWithBackup: boolean;
  /** From so many due documents on, an index removes them at once; null: never. */
  readonly intervalFrom: number | null;
}

export interface History {
  readonly met: Readonly<Record<string, number>>;
  readonly livedMs: number;
  /** Null: nothing was wrong. */
  readonly failure: string | null;
  /** One line for each step: its effect. */
  readonly log: readonly string[];
}

/** A history of `steps` steps, from one seed: it has a part of the features only, so that rare ones meet each other. */
export function planOf(seed: number, steps: number): Plan {
  const random = new Random(seed);
  const features = FEATURES.filter(({ isAlways }) => isAlways || random.chance(0.6));
  const choices = features.flatMap(({ name, weight }) => Array.from({ length: weight }, () => name));
  const step = () => ({ feature: random.pick(choices), seed: random.between(0, 2 ** 31) });
  return {
    seed,
    stores: random.chance(0.2) ? 2 : 1,
    collections: random.chance(0.4) ? COLLECTIONS : [COLLECTIONS[0]],
    isForYears: random.chance(0.7),
    hasLateTimers: random.chance(0.3),
    steps: Array.from({ length: steps }, step),
    endsWithBackup: random.chance(0.6),
    intervalFrom: random.pick([1, 3, null]),
    indexes: random.chance(0.4) ? ['one'] : ['one', 'two', 'three'],
  };
}

/** Runs a history on new stores in `parent`. */
export async function runHistory(plan: Plan, parent: string): Promise<History> {
  const folder = join(parent, String(plan.seed));
  const stores = openStores(plan, folder);
  const began = START;
  const log: string[] = [];
  let failure: string | null = null;
  try {
    for (const store of stores) await store.prepare();
    for (const step of plan.steps) await runStep(step, stores, log);
    for (const store of stores) {
      if (plan.endsWithBackup) await openFromBackup(store);
      await comeToRest(store);
    }
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const livedMs = Math.max(0, ...stores.map(store => store.now)) - began;
  const wrong: string[] = [];
  for (const store of stores)
    wrong.push(...(await store.close().catch(error => [failure === null ? String(error) : ''])));
  if (failure === null && wrong.length > 0) failure = `the recount found ${wrong.join('; ')}`;
  const met: Record<string, number> = {};
  for (const store of stores)
    for (const [what, count] of Object.entries(store.met)) met[what] = (met[what] ?? 0) + count;
  rmSync(folder, { recursive: true, force: true });
  return { met, livedMs: livedMs * stores.length, failure, log };
}

function openStores(
  { seed, stores, collections, indexes, isForYears, hasLateTimers, intervalFrom }: Plan,
  folder: string,
): readonly SimulatedStore[] {
  const clock = createManualClock(START);
  const random = new Random(seed);
  const process = new SimulatedProcess(clock, hasLateTimers ? withLateTimers(clock, random) : clock);
  const opened: SimulatedStore[] = [];
  for (let i = 0; i < stores; i++) {
    const own = join(folder, String(i));
    mkdirSync(own, { recursive: true });
    opened.push(
      new SimulatedStore({
        folder: own,
        process,
        callsWaiting: () => (hasLateTimers && random.chance(0.1) ? 1 : 0),
        collections,
        indexes,
        isForYears,
        intervalFrom,
      }),
    );
  }
  return opened;
}

async function runStep(
  { feature, seed }: Step,
  stores: readonly SimulatedStore[],
  log: string[],
): Promise<void> {
  const random = new Random(seed);
  const store = random.pick(stores);
  const chosen = FEATURES.find(({ name }) => name === feature);
  if (chosen === undefined) throw new RangeError(`there is no feature ${feature}`);
  const opened = store.openings;
  log.push(`${feature} …`);
  const did = await chosen.do(store, random);
  log.splice(-1, 1, stores.length === 1 ? did : `store ${stores.indexOf(store)}: ${did}`);
  await store.settle();
  for (const one of stores) {
    if (!one.wasKilled) continue;
    log.push('killed');
    await one.reopen(random.pick([0, 0, 3 * DAY]));
  }
  const isCompared = store.openings !== opened || random.chance(COMPARED);
  for (const one of stores)
    if (isCompared) await compareReaders(one);
    else await compareQuarantine(one);
  await store.settle();
  store.count('steps');
}
