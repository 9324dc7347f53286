import { call } from '@orpc/server';
import { router } from '../../../electron/engine/api/router.ts';
import { DAY, HOUR, MINUTE } from '../../support/engine.ts';
import { compareQuarantine, compareReaders } from './compare-readers.ts';
import { DueSince, LONGEST_SCHEDULE_MS } from './due-since.ts';
import type { SimulatedStore } from './simulated-store.ts';

const MOST_HOLDS = 20;

/** Opens a store from its backup, and lets time pass: everything due is held until a person confirms it [B1, R9]. */
export async function openFromBackup(store: SimulatedStore): Promise<void> {
  // Another store of the process has come to rest: meanwhile this one may have quarantined documents.
  await compareQuarantine(store);
  await store.writeBackup();
  await store.openBackup(DAY);
  await store.settle();
  const held = new Set(store.context.engine.backend.holds.list().map(({ collection }) => collection));
  for (const collection of store.collections) {
    const due = store.model.of(collection).dueDocuments(store.now);
    if (due.length === 0) continue;
    if (!held.has(collection) && !held.has(null))
      throw new Error(`${due} are due in a backup, which was opened without holding ${collection}`);
    store.count('collections held after opening a backup');
  }
  await store.advance(MINUTE, 25);
  await compareReaders(store);
}

/** Ends every pause, hold and limit: then nothing that is due may stay. */
export async function comeToRest(store: SimulatedStore): Promise<void> {
  const { context } = store;
  store.limits.set({ rate: 0, cap: 0 });
  const unlimited = {
    removalsPerSecond: 0,
    mostPerPass: 0,
    batchSize: 0,
    breakerShare: 1,
    breakerDocuments: 10_000,
  };
  await store.run({}, () => call(router.settings.update, unlimited, { context }));
  const { model } = store;
  model.stopped = { ...model.stopped, store: false, collections: new Set() };
  await store.run({}, () => call(router.reaper.resume, {}, { context }));
  for (const collection of store.collections) {
    await store.run({}, () => call(router.reaper.resume, { collection }, { context }));
    for (const index of model.of(collection).indexes.values()) {
      index.isPaused = false;
      await store.run({}, () => call(router.reaper.resume, { collection, index: index.name }, { context }));
    }
  }
  for (let i = 0; i < MOST_HOLDS; i++) {
    const [hold] = context.engine.backend.holds.list();
    if (hold === undefined) break;
    // A confirmed clock may go back behind what was due when it was quarantined.
    await compareQuarantine(store);
    await store.confirm(() => call(router.reaper.confirm, { hold: hold.id }, { context }));
    await store.settle();
  }
  // Longer than the longest schedule, and than every wait after a failure.
  await store.advance(2 * HOUR, 100);
  // Documents that become due from now on may wait for their tick.
  const dueAt = store.now - 1;
  const dueSince = new DueSince(context.engine.backend, dueAt, () => store.now);
  await store.advance(LONGEST_SCHEDULE_MS, 10);
  dueSince.stop();
  await compareReaders(store);
  for (const collection of store.collections) {
    const naive = model.of(collection);
    for (const source of ['explicit', ...naive.indexes.keys()]) {
      const index = naive.indexes.get(source);
      if (index !== undefined && (!index.isReady || index.isObserving)) continue;
      const due = naive.due(source, dueAt);
      if (due.length > 0 && !dueSince.waitsForTick(collection, source, store.now))
        throw new Error(`${due.map(({ id }) => id)} stay, due by ${source}`);
    }
  }
  for (let i = 0; i < 1_000 && store.context.engine.backend.expiry.sweep(0); i++);
  store.count('stores that ended with nothing due');
}
