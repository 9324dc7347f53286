import { call } from '@orpc/server';
import { router } from '../../../electron/engine/api/router.ts';
import type { ExpirationSetting } from '../../../shared/contract/documents.ts';
import { ACTIONS } from '../../electron/engine/documents/naive-store-operations.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/engine.ts';
import { type FieldValue, jsonOf, MISSING, type NaiveAction } from '../../support/naive-store.ts';
import type { Random } from '../../support/random.ts';
import type { Setting } from './simulated-model.ts';
import type { SimulatedStore } from './simulated-store.ts';

/** Documents of a store, in all its collections. */
const DOCUMENTS = 20;

function dateNear(random: Random, { now, isForYears }: SimulatedStore): FieldValue {
  if (random.chance(0.15)) return MISSING;
  if (random.chance(0.08)) return { json: 'tomorrow', reading: { reason: 'not a date' } };
  const far = random.pick([
    2 * SECOND,
    20 * SECOND,
    20 * MINUTE,
    20 * HOUR,
    60 * DAY,
    ...(isForYears ? [60 * DAY, 2_000 * DAY] : []),
  ]);
  const at = now + random.between(-Math.round(far / 10), far);
  return { json: random.chance(0.3) ? new Date(at).toISOString() : at, reading: { at } };
}

function fieldsOf(random: Random, store: SimulatedStore): Record<string, FieldValue> {
  const ttl = random.pick([0, 5, 3_600]);
  const t = random.chance(0.3) ? { json: ttl, reading: { reason: 'wrong unit suspected' } } : MISSING;
  return { a: dateNear(random, store), b: dateNear(random, store), t };
}

function someIds(store: SimulatedStore, collection: string, random: Random, most = 8): string[] {
  const last = DOCUMENTS / store.collections.length - 1;
  const id = () => `${collection}-${String(random.between(0, last)).padStart(2, '0')}`;
  return [...new Set(Array.from({ length: random.between(1, most) }, id))];
}

export function outcome(changed: ReadonlySet<string> | null): string {
  return changed === null ? 'refused' : `${changed.size} changed`;
}

export async function write(store: SimulatedStore, random: Random): Promise<string> {
  const fields = fieldsOf(random, store);
  const collection = random.pick(store.collections);
  const ids = someIds(store, collection, random);
  const written = new Map(ids.map(id => [id, fields]));
  const mode = random.chance(0.8) ? 'upsert' : 'insert';
  const query = { mode, atomic: random.chance(0.2) } as const;
  const body = ids.map(id => jsonOf({ id, fields }));
  const { context } = store;
  let rejected: (string | undefined)[] = [];
  const changed = await store.run({ written }, async () => {
    const report = await call(router.documents.write, { params: { collection }, query, body }, { context });
    rejected = report.rejected.map(({ _id }) => _id);
  });
  for (const id of changed === null ? [] : ids)
    if (changed?.has(id) === rejected.includes(id))
      throw new Error(`the report on ${id} differs from its event`);
  return `${mode} ${ids} ${JSON.stringify(body[0])}: ${outcome(changed)}`;
}

export async function importDocuments(store: SimulatedStore, random: Random): Promise<string> {
  const fields = fieldsOf(random, store);
  const collection = random.pick(store.collections);
  const ids = someIds(store, collection, random, 20);
  const { imports } = store.context.engine;
  const changed = await store.run({ written: new Map(ids.map(id => [id, fields])) }, async () => {
    const job = await imports.start(
      { collection, create: false, format: 'ndjson', mode: 'upsert', subject: 'x', deadlines: 'absolute' },
      'ada',
    );
    await imports.append(job.id, `${ids.map(id => JSON.stringify(jsonOf({ id, fields }))).join('\n')}\n`);
    await imports.finish(job.id);
  });
  return `import ${ids} ${JSON.stringify(jsonOf({ id: '', fields }))}: ${outcome(changed)}`;
}

export async function remove(store: SimulatedStore, random: Random): Promise<string> {
  const collection = random.pick(store.collections);
  const ids = someIds(store, collection, random, 3);
  const { context } = store;
  const changed = await store.run({ deleted: new Set(ids) }, () =>
    call(router.documents.deleteMany, { collection, ids }, { context }),
  );
  return `delete ${ids}: ${outcome(changed)}`;
}

export async function setExpiration(store: SimulatedStore, random: Random): Promise<string> {
  const collection = random.pick(store.collections);
  const ids = someIds(store, collection, random, 4);
  const { context } = store;
  const kind = random.pick(['at', 'at', 'never', 'clear'] as const);
  const action = random.pick<NaiveAction>(['delete', 'delete', 'patch', 'replace', 'stuck', 'move']);
  const at =
    store.now +
    random.between(1, random.pick([30 * SECOND, 5 * HOUR, store.isForYears ? 900 * DAY : 40 * DAY]));
  const setting: Setting = kind === 'clear' ? kind : { at: kind === 'at' ? at : kind, action };
  const set: ExpirationSetting = kind === 'never' ? { never: true } : { at, onExpire: ACTIONS[action] };
  const changed = await store.run({ set: new Map(ids.map(id => [id, setting])) }, () =>
    call(
      router.documents.setExpirations,
      { collection, ids, ...(kind === 'clear' ? { clear: true as const } : { set }) },
      { context },
    ),
  );
  return `expiration of ${ids}: ${JSON.stringify(setting)}: ${outcome(changed)}`;
}

export async function restore(store: SimulatedStore, random: Random): Promise<string> {
  const { context, model } = store;
  const collection = random.pick(store.collections);
  const { expired } = await call(router.metrics.expired, { collection, limit: 50 }, { context });
  // The latest removal of each document: the model knows what that was. One by hand without a retention has no entry.
  const latest = new Map(expired.toReversed().map(entry => [entry._id, entry]));
  const chosen = [...latest.values()].filter(
    ({ _id, restorable, revision }) =>
      restorable !== null && model.removed.get(_id)?.revision === revision && random.chance(0.3),
  );
  if (chosen.length === 0) return 'nothing to restore';
  const at = random.chance(0.5) ? ('never' as const) : store.now + random.between(1_000, 50_000);
  const setting: Setting = { at, action: 'delete' };
  const expiration = at === 'never' ? { never: true as const } : { at };
  const onConflict = random.pick(['skip', 'replace'] as const);
  const restored = new Map(
    chosen.map(({ _id }) => [_id, { fields: model.removed.get(_id)?.fields ?? {}, setting }]),
  );
  const what = { ids: chosen.map(({ id }) => id) };
  const changed = await store.run({ restored }, () =>
    call(router.expired.restore, { what, expiration, onConflict }, { context }),
  );
  store.count('restored', changed?.size ?? 0);
  return `restore ${[...restored.keys()]} ${onConflict} ${at}: ${outcome(changed)}`;
}
