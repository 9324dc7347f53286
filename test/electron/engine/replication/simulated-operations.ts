import { call } from '@orpc/server';
import type { Context, EmbeddedEngine } from '../../../../electron/engine/api/context.ts';
import { router } from '../../../../electron/engine/api/router.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import type { OnExpire, Schedule, TtlSource } from '../../../../shared/model/ttl-index.ts';
import type { Random } from '../../../support/random.ts';

const COLLECTIONS = ['claims', 'sessions', 'archive'];
const INDEXES = ['by date', 'by write', 'by rule'];
/** A collection with one index that deletes, so that its documents expire at once. */
const CLIFFS = 'cliffs';
const IDS = Array.from({ length: 14 }, (_, i) => `d${i}`);

const EXPRESSIONS = [
  'doc.n > 500 ? updatedAt + duration("30s") : null',
  'doc.n > 300 ? updatedAt + duration("10s") : null',
  'timestamp(doc.expires) + duration("5s")',
  'has(doc.claim) ? doc.claim.expires : null',
];

export type EmbeddedContext = Context & { readonly engine: EmbeddedEngine };

type Operation = (random: Random, context: EmbeddedContext) => Promise<unknown>;

/** Calls to a leader, weighted: mostly changes of documents, sometimes of definitions. */
const OPERATIONS: readonly [weight: number, Operation][] = [
  [30, write],
  [10, put],
  [8, (random, context) => call(router.documents.delete, oneOf(random), { context })],
  [12, setExpiration],
  [5, (random, context) => call(router.documents.clearExpiration, oneOf(random), { context })],
  [12, (random, context) => call(router.collections.create, { name: random.pick(COLLECTIONS) }, { context })],
  [
    2,
    (random, context) => call(router.collections.drop, { collection: random.pick(COLLECTIONS) }, { context }),
  ],
  [2, restoreCollection],
  [6, createIndex],
  [5, changeIndex],
  [6, changeOneExpression],
  [2, (random, context) => call(router.ttlIndexes.drop, oneIndexOf(random), { context })],
  [3, (random, context) => call(router.reaper.pause, scopeOf(random), { context })],
  [5, (random, context) => call(router.reaper.resume, scopeOf(random), { context })],
  [3, (_, context) => call(router.reaper.run, {}, { context })],
  [24, writeCliff],
  [8, writeOneOfCliffs],
  [4, (random, context) => call(router.documents.delete, oneOfCliffs(random), { context })],
  [3, (random, context) => call(router.documents.clearExpiration, oneOfCliffs(random), { context })],
  [2, changeCliffIndex],
  [1, (_, context) => call(router.collections.drop, { collection: CLIFFS }, { context })],
  [3, createCliffs],
  // The job continues during later operations.
  [1, (_, context) => call(router.expired.purge, {}, { context })],
];

/** Operations that make a later page of a snapshot refer to definitions that the first page does not contain. */
const REDEFINITIONS: readonly [weight: number, Operation][] = [
  [4, createStuckIndex],
  [2, changeIndex],
  [2, changeOneExpression],
  [1, (random, context) => call(router.ttlIndexes.drop, oneIndexOf(random), { context })],
  [1, (random, context) => call(router.collections.create, { name: random.pick(COLLECTIONS) }, { context })],
  [
    1,
    (random, context) => call(router.collections.drop, { collection: random.pick(COLLECTIONS) }, { context }),
  ],
  [3, write],
];

/** Runs one random operation. Returns false if the leader refused it, for example because a name exists. */
export function operate(random: Random, context: EmbeddedContext): Promise<boolean> {
  return oneOfThese(OPERATIONS, random, context);
}

/** Changes definitions, so that documents are quarantined by new rules. */
export function reloadDefinitions(random: Random, context: EmbeddedContext): Promise<boolean> {
  return oneOfThese(REDEFINITIONS, random, context);
}

/** Changes the expression of an index in place [D8], or creates an index with one. Returns false if the leader refused it. */
export function changeExpression(random: Random, context: EmbeddedContext): Promise<boolean> {
  return oneOfThese([[1, changeOneExpression]], random, context);
}

/** Creates every collection, with documents. */
export async function fill(random: Random, context: EmbeddedContext): Promise<void> {
  for (const name of COLLECTIONS) await call(router.collections.create, { name }, { context });
  await createCliffs(random, context);
  for (let i = 0; i < 8; i++)
    await oneOfThese(
      [
        [2, write],
        [1, writeCliff],
      ],
      random,
      context,
    );
}

async function oneOfThese(
  operations: typeof OPERATIONS,
  random: Random,
  context: EmbeddedContext,
): Promise<boolean> {
  const operation = random.pick(
    operations.flatMap(([weight, one]) => Array.from({ length: weight }, () => one)),
  );
  try {
    await operation(random, context);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code !== 'INTERNAL_SERVER_ERROR') return false;
    throw error;
  }
}

function oneOf(random: Random): { collection: string; id: string } {
  return { collection: random.pick(COLLECTIONS), id: random.pick(IDS) };
}

function oneIndexOf(random: Random): { collection: string; index: string } {
  return { collection: random.pick(COLLECTIONS), index: random.pick(INDEXES) };
}

function scopeOf(random: Random): { collection?: string; index?: string } {
  if (random.chance(0.3)) return {};
  const collection = random.pick(COLLECTIONS);
  return random.chance(0.5) ? { collection } : { collection, index: random.pick(INDEXES) };
}

/** Deadlines are close to now, so that many documents are due soon, and some at once. */
function content(random: Random, context: EmbeddedContext): JsonObject {
  const at = context.engine.clock.now() + random.between(-5_000, 90_000);
  return {
    n: random.between(0, 999),
    ...(random.chance(0.8) ? { expires: new Date(at).toISOString() } : {}),
    ...(random.chance(0.3) ? { claim: { by: `w${random.between(1, 3)}`, expires: at / 1000 } } : {}),
  };
}

function write(random: Random, context: EmbeddedContext): Promise<unknown> {
  const body = Array.from({ length: random.between(1, 6) }, () => ({
    _id: random.pick(IDS),
    ...content(random, context),
  }));
  const query = {
    mode: random.chance(0.8) ? ('upsert' as const) : ('insert' as const),
    atomic: random.chance(0.2),
  };
  return call(
    router.documents.write,
    { params: { collection: random.pick(COLLECTIONS) }, query, body },
    { context },
  );
}

function put(random: Random, context: EmbeddedContext): Promise<unknown> {
  return call(router.documents.put, { params: oneOf(random), body: content(random, context) }, { context });
}

/** Documents of one deadline, soon, past or far, some of which replace others. */
function writeCliff(random: Random, context: EmbeddedContext): Promise<unknown> {
  const at = context.engine.clock.now() + random.pick([-2_000, 300, 2_000, 5_000, 30_000, 90_000]);
  const body = Array.from({ length: random.between(3, 12) }, () => ({
    _id: random.pick(IDS),
    expires: new Date(at + random.pick([0, 0, 1, 700])).toISOString(),
  }));
  return call(
    router.documents.write,
    { params: { collection: CLIFFS }, query: { mode: 'upsert', atomic: false }, body },
    { context },
  );
}

/** A document with any deadline: a past one is late if an interval is not swept. */
function writeOneOfCliffs(random: Random, context: EmbeddedContext): Promise<unknown> {
  const params = { collection: CLIFFS, id: random.pick(IDS) };
  return random.chance(0.2)
    ? call(router.documents.setExpiration, { params, body: { after: random.between(1, 20) } }, { context })
    : call(router.documents.put, { params, body: content(random, context) }, { context });
}

function oneOfCliffs(random: Random): { collection: string; id: string } {
  return { collection: CLIFFS, id: random.pick(IDS) };
}

async function createCliffs(random: Random, context: EmbeddedContext): Promise<void> {
  await call(router.collections.create, { name: CLIFFS }, { context });
  await createCliffIndex(random, context);
}

function createCliffIndex(random: Random, context: EmbeddedContext): Promise<unknown> {
  return call(
    router.ttlIndexes.create,
    {
      ...{ collection: CLIFFS, name: 'by date', onExpire: { action: 'delete' } },
      source: random.pick<TtlSource>([
        { kind: 'field', field: 'expires', unit: 'seconds', expireAfter: 0 },
        { kind: 'field', field: 'expires', unit: 'seconds', expireAfter: random.between(0, 9) },
        { kind: 'lastModified', expireAfter: random.between(1, 20) },
      ]),
      schedule: random.pick<Schedule>([
        { mode: 'exact' },
        { mode: 'exact' },
        { mode: 'every', everyMs: 4_000 },
      ]),
    },
    { context },
  );
}

/** Another duration, which keeps the index table, or another index of the same name. */
async function changeCliffIndex(random: Random, context: EmbeddedContext): Promise<void> {
  const index = { collection: CLIFFS, index: 'by date' };
  if (random.chance(0.7)) {
    await call(router.ttlIndexes.update, { ...index, expireAfter: random.between(0, 30) }, { context });
    return;
  }
  await call(router.ttlIndexes.drop, index, { context });
  await createCliffIndex(random, context);
}

function setExpiration(random: Random, context: EmbeddedContext): Promise<unknown> {
  const onExpire = random.chance(0.4) ? { onExpire: action(random) } : {};
  const body = random.pick([
    { never: true as const },
    { after: random.between(1, 60), ...onExpire },
    { at: context.engine.clock.now() + random.between(1, 60_000), ...onExpire },
  ]);
  return call(router.documents.setExpiration, { params: oneOf(random), body }, { context });
}

function action(random: Random): OnExpire {
  return random.pick<OnExpire>([
    { action: 'delete' },
    { action: 'patch', patch: { expires: null, n: 0 } },
    // The patch does not change the deadline: the document is quarantined.
    { action: 'patch', patch: { tried: true } },
    { action: 'replace', expression: 'without(doc, "expires", "claim")' },
    { action: 'move', to: 'archive' },
  ]);
}

function source(random: Random): TtlSource {
  const expireAfter = random.between(0, 40);
  return random.pick<TtlSource>([
    { kind: 'field', field: 'expires', unit: 'seconds', expireAfter },
    { kind: 'field', field: 'claim.expires', unit: 'seconds', expireAfter },
    { kind: 'field', field: 'expires', unit: 'seconds', expireAfterField: 'n' },
    {
      kind: 'field',
      field: 'expires',
      unit: 'seconds',
      formats: ['yyyy-MM-dd HH:mm:ss', 'iso'],
      zone: 'Europe/Berlin',
      expireAfter,
    },
    { kind: 'lastModified', expireAfter: expireAfter + 20 },
    { kind: 'expression', expression: random.pick(EXPRESSIONS) },
  ]);
}

function schedule(random: Random): Schedule {
  return random.pick<Schedule>([
    { mode: 'exact' },
    { mode: 'exact' },
    { mode: 'every', everyMs: 7_000 },
    { mode: 'observe' },
  ]);
}

/** Restores the collection that was dropped last. */
async function restoreCollection(_: Random, context: EmbeddedContext): Promise<void> {
  const dropped = (await call(router.collections.dropped, {}, { context })).at(-1);
  if (dropped !== undefined) await call(router.collections.restore, { id: dropped.id }, { context });
}

function createIndex(random: Random, context: EmbeddedContext): Promise<unknown> {
  const { collection, index: name } = oneIndexOf(random);
  return call(
    router.ttlIndexes.create,
    { collection, name, source: source(random), onExpire: action(random), schedule: schedule(random) },
    { context },
  );
}

/** Creates an index that quarantines its due documents [A5]. */
function createStuckIndex(random: Random, context: EmbeddedContext): Promise<unknown> {
  const { collection, index: name } = oneIndexOf(random);
  const stuck: OnExpire = { action: 'patch', patch: { tried: true } };
  const due: TtlSource = { kind: 'field', field: 'expires', unit: 'seconds', expireAfter: 0 };
  return call(router.ttlIndexes.create, { collection, name, source: due, onExpire: stuck }, { context });
}

function changeIndex(random: Random, context: EmbeddedContext): Promise<unknown> {
  const changes = random.pick([
    { source: source(random) },
    { onExpire: action(random) },
    { schedule: schedule(random) },
  ]);
  return call(router.ttlIndexes.update, { ...oneIndexOf(random), ...changes }, { context });
}

/** Creates an index with an expression if the collection has none. */
async function changeOneExpression(random: Random, context: EmbeddedContext): Promise<unknown> {
  const collection = random.pick(COLLECTIONS);
  const source: TtlSource = { kind: 'expression', expression: random.pick(EXPRESSIONS) };
  const indexes = await call(router.ttlIndexes.list, { collection }, { context });
  const known = indexes.find(index => index.source.kind === 'expression');
  if (known !== undefined)
    return call(router.ttlIndexes.update, { collection, index: known.name, source }, { context });
  const schedule: Schedule = { mode: 'exact' };
  return call(
    router.ttlIndexes.create,
    { collection, name: random.pick(INDEXES), source, onExpire: action(random), schedule },
    { context },
  );
}
