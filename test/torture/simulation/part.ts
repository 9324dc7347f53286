import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '@orpc/server';
import { router } from '../../../electron/engine/api/router.ts';
import { DAY, HOUR } from '../../support/engine.ts';
import { withTemporaryFolder } from '../../support/memory-folder.mjs';
import { Random } from '../../support/random.ts';
import type { Part, Report, Run } from '../part.ts';
import { compareReaders } from './compare-readers.ts';
import { FEATURES } from './features.ts';
import { COLLECTION } from './simulated-model.ts';
import { SimulatedStore } from './simulated-store.ts';

const STEPS = 200;
const QUICK_HISTORIES = 2;
const QUICK_STEPS = 60;
/** Steps that are printed of a history that failed. */
const SHOWN_STEPS = 12;
const YEAR_MS = 365.25 * DAY;

interface History {
  readonly seed: number;
  readonly met: Readonly<Record<string, number>>;
  readonly livedMs: number;
  /** Null: nothing was wrong. */
  readonly failure: string | null;
}

/**
 * Histories of one store with the whole engine on a simulated clock, each from one seed: every commit is compared with a plain
 * model as it happens, every reader after every step, and every count at the end.
 */
export const SIMULATION: Part = {
  name: 'simulation',
  title: 'years of a store, with every feature and a clock that jumps',
  share: 2,
  // In memory: power cuts are another part's.
  run: run => withTemporaryFolder(folder => runHistories(run, folder)),
};

async function runHistories(run: Run, folder: string): Promise<Report> {
  const done: Record<string, number> = { histories: 0, steps: 0 };
  const failures: string[] = [];
  let livedMs = 0;
  for (let i = 0; run.isQuick ? i < QUICK_HISTORIES : performance.now() < run.endsAt; i++) {
    const { met, failure, ...one } = await runHistory(
      run.seed * 1_000 + i,
      run.isQuick ? QUICK_STEPS : STEPS,
      folder,
    );
    livedMs += one.livedMs;
    done.histories = i + 1;
    for (const [what, count] of Object.entries(met)) done[what] = (done[what] ?? 0) + count;
    if (failure !== null) failures.push(failure);
    if (failures.length >= 3) break;
    if (i % 100 === 99) run.say(`simulation: ${i + 1} histories, ${Math.round(livedMs / YEAR_MS)} years`);
  }
  return { done: { ...done, 'years of store life': Number((livedMs / YEAR_MS).toFixed(1)) }, failures };
}

/** Runs one history, always the same for a seed and a number of steps. */
async function runHistory(seed: number, steps: number, parent: string): Promise<History> {
  const folder = join(parent, String(seed));
  mkdirSync(folder);
  const random = new Random(seed);
  const features = FEATURES.filter(({ isAlways }) => isAlways || random.chance(0.6));
  const choices = features.flatMap(feature => Array.from({ length: feature.weight }, () => feature));
  const store = new SimulatedStore(folder);
  const began = store.now;
  const log: string[] = [];
  let failure: string | null = null;
  try {
    await store.prepare();
    for (let step = 0; step < steps; step++) {
      const feature = random.pick(choices);
      log.push(`${feature.name} …`);
      log.splice(-1, 1, await feature.do(store, random));
      await store.settle();
      if (store.wasKilled) {
        log.push('killed');
        await store.reopen(random.pick([0, 0, 3 * DAY]));
      }
      await compareReaders(store);
      await store.settle();
      store.count('steps');
    }
    await comeToRest(store);
  } catch (error) {
    const last = log.slice(-SHOWN_STEPS).join('\n      ');
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    failure = `seed ${seed}, step ${log.length}: ${what}\n    last steps:\n      ${last}\n    log: ${store.complaints.slice(-2).join(' ')}`;
  }
  const livedMs = store.now - began;
  const wrong = await store.close().catch(error => [failure === null ? String(error) : '']);
  if (failure === null && wrong.length > 0) failure = `seed ${seed}: the recount found ${wrong.join('; ')}`;
  rmSync(folder, { recursive: true, force: true });
  return { seed, met: store.met, livedMs, failure };
}

/** Ends every pause, hold and limit: then nothing that is due may stay. */
async function comeToRest(store: SimulatedStore): Promise<void> {
  const { context } = store;
  store.limit({ rate: 0, cap: 0 });
  const unlimited = {
    removalsPerSecond: 0,
    mostPerPass: 0,
    batchSize: 0,
    breakerShare: 1,
    breakerDocuments: 10_000,
  };
  await store.run({}, () => call(router.settings.update, unlimited, { context }));
  const { stopped, naive } = store.model;
  stopped.store = false;
  stopped.collection = false;
  await store.run({}, () => call(router.reaper.resume, {}, { context }));
  await store.run({}, () => call(router.reaper.resume, { collection: COLLECTION }, { context }));
  for (const index of naive.indexes.values()) {
    index.isPaused = false;
    await store.run({}, () =>
      call(router.reaper.resume, { collection: COLLECTION, index: index.name }, { context }),
    );
  }
  for (let i = 0; i < 20; i++) {
    const [hold] = context.engine.backend.holds.list();
    if (hold === undefined) break;
    store.isConfirming = true;
    await store.run({}, () => call(router.reaper.confirm, { hold: hold.id }, { context }));
    store.isConfirming = false;
    await store.settle();
  }
  // Longer than the longest schedule, and than every wait after a failure.
  await store.advance(2 * HOUR, 500);
  await compareReaders(store);
  for (const source of ['explicit', ...naive.indexes.keys()]) {
    const index = naive.indexes.get(source);
    if (index !== undefined && (!index.isReady || index.isObserving)) continue;
    // Documents that became due in the last hour may wait for their tick.
    const due = naive.due(source, store.now - HOUR - 1);
    if (due.length > 0) throw new Error(`${due.map(({ id }) => id)} stay, due by ${source}`);
  }
  for (let i = 0; i < 1_000 && store.context.engine.backend.expiry.sweep(0); i++);
  store.count('histories that ended with nothing due');
}
