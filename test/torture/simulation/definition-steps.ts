import { call } from '@orpc/server';
import { router } from '../../../electron/engine/api/router.ts';
import { ACTIONS, toSource } from '../../electron/engine/documents/naive-store-operations.ts';
import { HOUR } from '../../support/engine.ts';
import type { NaiveAction } from '../../support/naive-store.ts';
import type { Random } from '../../support/random.ts';
import { outcome } from './document-steps.ts';
import type { SimulatedStore } from './simulated-store.ts';

/** A history comes to rest within two of the longest time between two ticks. */
const CRON = ['*/7 * * * *', '0 * * * *', '30 2 * * *', '15 0,6,12,18 * * *'];
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu'];

function anyAction(random: Random): NaiveAction {
  return random.pick<NaiveAction>(['delete', 'delete', 'delete', 'patch', 'replace', 'stuck', 'move']);
}

export async function createIndex(store: SimulatedStore, random: Random): Promise<string> {
  const { context } = store;
  const collection = random.pick(store.collections);
  const name = random.pick(store.indexes);
  const field = random.pick(['a', 'b']);
  const source = random.pick([
    { kind: 'field', field } as const,
    { kind: 'field', field } as const,
    { kind: 'own', field } as const,
    { kind: 'lastModified' } as const,
    { kind: 'expression' } as const,
  ]);
  const action = anyAction(random);
  // At least ten seconds for what counts from the last write: an action that is due again at once is quarantined.
  const expireAfter =
    source.kind === 'lastModified'
      ? random.between(10, 5_000)
      : random.pick([0, 0.5, 30, 3_600, store.isForYears ? 31_536_000 : 86_400]);
  const schedule = random.pick([
    { mode: 'exact' as const },
    { mode: 'exact' as const },
    { mode: 'every' as const, everyMs: random.pick([7_000, HOUR]) },
    { mode: 'cron' as const, cron: random.pick(CRON), timeZone: random.pick(ZONES) },
    { mode: 'observe' as const },
  ]);
  const definition = { source: toSource(source, expireAfter), onExpire: ACTIONS[action], schedule };
  const changed = await store.run({}, () =>
    call(router.ttlIndexes.create, { collection, name, ...definition }, { context }),
  );
  return `index ${name} ${JSON.stringify(definition)}: ${outcome(changed)}`;
}

export async function changeIndex(store: SimulatedStore, random: Random): Promise<string> {
  const { context } = store;
  const collection = random.pick(store.collections);
  const index = random.pick(store.indexes);
  const change = random.pick([
    { expireAfter: random.pick([10, 60, 7_200, 864_000]) },
    { expireAfter: random.pick([10, 60, 7_200, 864_000]) },
    { onExpire: ACTIONS[anyAction(random)] },
    {
      schedule: random.pick([
        { mode: 'exact' as const },
        { mode: 'cron' as const, cron: random.pick(CRON), timeZone: random.pick(ZONES) },
        { mode: 'observe' as const },
      ]),
    },
  ]);
  const changed = await store.run({}, () =>
    call(router.ttlIndexes.update, { collection, index, ...change }, { context }),
  );
  return `index ${index} becomes ${JSON.stringify(change)}: ${outcome(changed)}`;
}

export async function dropIndex(store: SimulatedStore, random: Random): Promise<string> {
  const { context } = store;
  const collection = random.pick(store.collections);
  const index = random.pick(store.indexes);
  const changed = await store.run({}, () => call(router.ttlIndexes.drop, { collection, index }, { context }));
  return `index ${index} dropped: ${outcome(changed)}`;
}

export async function pause(store: SimulatedStore, random: Random): Promise<string> {
  const { context } = store;
  const collection = random.pick(store.collections);
  const index = random.pick(store.indexes);
  const scope = random.pick([{}, { collection }, { collection, index }, { collection, index }]);
  const isPaused = random.chance(0.45);
  const tell = () => tellPause(store, scope, isPaused);
  const changed = await store.run(
    {},
    () => call(isPaused ? router.reaper.pause : router.reaper.resume, scope, { context }),
    tell,
  );
  return `${isPaused ? 'pause' : 'resume'} ${JSON.stringify(scope)}: ${outcome(changed)}`;
}

function tellPause(
  { model }: SimulatedStore,
  scope: { collection?: string; index?: string },
  isPaused: boolean,
): void {
  const { collection } = scope;
  const index =
    scope.index === undefined || collection === undefined
      ? undefined
      : model.of(collection).indexes.get(scope.index);
  if (index !== undefined) index.isPaused = isPaused;
  else if (scope.index !== undefined) return;
  else if (collection !== undefined) {
    const others = [...model.stopped.collections].filter(name => name !== collection);
    model.stopped = { ...model.stopped, collections: new Set(isPaused ? [...others, collection] : others) };
  } else model.stopped.store = isPaused;
}

export async function setLimits(store: SimulatedStore, random: Random): Promise<string> {
  const { context } = store;
  const rate = random.pick([0, 0, 1, 3, 20]);
  const cap = random.pick([0, 0, 2, 5]);
  const change = { removalsPerSecond: rate, mostPerPass: cap, batchSize: random.pick([0, 1, 3, 5]) };
  store.limits.set({ rate: 0, cap: 0 });
  await store.run({}, () => call(router.settings.update, change, { context }));
  store.limits.set({ rate, cap });
  return `limits ${JSON.stringify(change)}`;
}

export async function setBreaker(store: SimulatedStore, random: Random): Promise<string> {
  const { context } = store;
  const change = { breakerShare: random.pick([0, 0.2, 0.5]), breakerDocuments: random.pick([0, 2, 10_000]) };
  await store.run({}, () => call(router.settings.update, change, { context }));
  return `breaker ${JSON.stringify(change)}`;
}

export async function setRetention(store: SimulatedStore, random: Random): Promise<string> {
  const { context } = store;
  const change = {
    retention: random.pick([0, 30, 86_400, 8_640_000]),
    retentionBytes: random.pick([0, 100, 1024 ** 3]),
    logSeconds: random.pick([60, 3_600, 86_400]),
  };
  await store.run({}, () => call(router.settings.update, change, { context }));
  return `retention ${JSON.stringify(change)}`;
}

export async function confirm(store: SimulatedStore): Promise<string> {
  const { context } = store;
  const [hold] = context.engine.backend.holds.list();
  if (hold === undefined) return 'nothing to confirm';
  const changed = await store.confirm(() => call(router.reaper.confirm, { hold: hold.id }, { context }));
  store.count('confirmed holds');
  return `confirm ${hold.cause}: ${outcome(changed)}`;
}

export async function runPass(store: SimulatedStore): Promise<string> {
  const { context } = store;
  // The pause of the store itself does not stop a pass over the store [R6].
  store.model.stopped.isByHand = true;
  const changed = await store.run({}, () => call(router.reaper.run, {}, { context }));
  store.model.stopped.isByHand = false;
  // A pass by hand obeys the cap, and no rate.
  store.limits.forget();
  return `pass by hand: ${outcome(changed)}`;
}

export async function purge(store: SimulatedStore): Promise<string> {
  const { context } = store;
  const { expired, purges } = context.engine.backend;
  const through = purges.lastId;
  store.model.purgedThrough = context.engine.backend.revision;
  const changed = await store.run({}, async () => {
    const { id } = await call(router.expired.purge, {}, { context });
    for (let turn = 0; turn < 10_000; turn++) {
      if ((await call(router.jobs.get, { job: id }, { context })).state !== 'running') return;
      store.clock.advance(1);
      await new Promise(resolve => setImmediate(resolve));
    }
    throw new Error('the purge does not end');
  });
  const span = { collection: null, restorable: true } as const;
  const { ids } = expired.find(span, { cursor: null, order: 'asc' });
  const left = ids.filter(id => Number(id) <= through);
  if (changed !== null && left.length > 0)
    throw new Error(`${left.length} expired documents are restorable after a purge`);
  return `purge: ${outcome(changed)}`;
}
