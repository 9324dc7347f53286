import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ExpirationOnArrival, Incoming } from '../../../../electron/engine/backends/backend.ts';
import {
  type EmbeddedStore,
  openEmbeddedStore,
} from '../../../../electron/engine/backends/embedded/store.ts';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { OnExpire, TtlIndexDefinition, TtlSource } from '../../../../shared/model/ttl-index.ts';
import { EACH_REMOVAL } from '../../../support/each-removal.ts';
import { DAY, HOUR, NOON, SECOND } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { disagreements } from '../../../support/recount.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const COLLECTION = 'c';
const ARCHIVE = 'archive';
/** Documents of both stores, written before the batch or by it. */
const IDS = Array.from({ length: 90 }, (_, i) => `id ${i}`);

const instant = fc.oneof(
  fc.integer({ min: -20, max: 60 }).map(s => NOON + s * SECOND),
  fc.integer({ min: -2 * DAY, max: 2 * DAY }).map(ms => NOON + ms),
);
const field = fc.oneof(
  { weight: 5, arbitrary: instant },
  { weight: 1, arbitrary: fc.constantFrom(null, 'tomorrow', 60) },
);
const onExpire: fc.Arbitrary<OnExpire> = fc.constantFrom<OnExpire>(
  { action: 'delete' },
  { action: 'move', to: ARCHIVE },
  { action: 'patch', patch: { a: null } },
  { action: 'patch', patch: { mark: 1 } },
);
const expiration: fc.Arbitrary<ExpirationOnArrival | undefined> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constant<ExpirationOnArrival>({ kind: 'pin' }) },
  { weight: 1, arbitrary: instant.map(at => ({ kind: 'as index' as const, at })) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('at' as const),
      at: instant,
      afterMs: fc.constantFrom(null, 5_000),
      onExpire,
    }),
  },
);
const body = fc.record({ a: field, b: field }, { requiredKeys: [] });

type Given = { text: string; expiration?: ExpirationOnArrival } | { value: unknown };
const document: fc.Arbitrary<Given> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .record({ id: fc.constantFrom(...IDS), body })
      .map(one => ({ value: { _id: one.id, ...one.body } })),
  },
  {
    weight: 8,
    arbitrary: fc.record({ id: fc.constantFrom(...IDS), body, expiration }).map(one => ({
      text: JSON.stringify({ ...one.body, key: one.id }),
      ...(one.expiration === undefined ? {} : { expiration: one.expiration }),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Given>({ text: '{' }, { value: 'text' }, { value: { _id: '' } }),
  },
);

const index = (name: string, source: TtlSource, action: OnExpire): TtlIndexDefinition => ({
  name,
  source,
  onExpire: action,
  schedule: { mode: 'exact' },
  limits: {},
  retention: null,
});
const source = (path: string): TtlSource => ({
  kind: 'field',
  field: path,
  unit: 'milliseconds',
  expireAfter: 10,
});
const indexes = fc.oneof(
  fc.constant([]),
  onExpire.map(action => [index('one', source('a'), action)]),
  fc
    .tuple(onExpire, onExpire)
    .map(([first, second]) => [index('one', source('a'), first), index('two', source('b'), second)]),
  onExpire.map(action => [
    index('one', source('a'), action),
    index('two', { kind: 'lastModified', expireAfter: 30 }, { action: 'delete' }),
  ]),
);

const history = fc.record({
  indexes,
  isBuilt: fc.boolean(),
  before: fc.array(document, { maxLength: 60 }),
  ms: fc.constantFrom(0, 5_000, HOUR),
  reaped: fc.integer({ min: 0, max: 3 }),
  batch: fc.array(document, { minLength: 1, maxLength: 120 }),
  mode: fc.constantFrom('insert' as const, 'upsert' as const),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

const numbered = (given: readonly Given[]): Incoming[] => given.map((one, i) => ({ ...one, line: i + 1 }));

/** Creates the due, removed, dead or quarantined documents that exist when the batch arrives. */
async function prepared(file: string, { indexes, isBuilt, before, ms, reaped }: History) {
  const clock = createManualClock(NOON);
  const store = openEmbeddedStore({ file, clock, reads: 'inline' });
  store.createCollection(COLLECTION);
  store.createCollection(ARCHIVE);
  const build = () => {
    for (const target of store.pendingBackfills()) while (store.backfill(target, 1_000)?.finished === false);
  };
  store.write(ARCHIVE, [{ value: { _id: 'id 0' }, line: 1 }], { mode: 'insert', atomic: false });
  for (const one of indexes.slice(0, 1)) store.createIndex(COLLECTION, one, { by: 'ada', isExpected: true });
  build();
  store.write(COLLECTION, numbered(before), { mode: 'upsert', atomic: false, idField: 'key' });
  clock.advance(ms);
  for (const source of store.expiry.sources().slice(0, reaped)) {
    const pass = newPass({
      id: store.expiry.nextPassId(),
      collection: source.collection,
      trigger: 'manual',
      at: clock.now(),
    });
    const given = { cutoff: clock.now(), budgetMs: () => 1_000, maxDocuments: 20, isLast: true };
    store.expiry.reap(source, given, pass);
  }
  for (const one of indexes.slice(1)) store.createIndex(COLLECTION, one, { by: 'ada', isExpected: true });
  if (isBuilt) build();
  const reported: unknown[] = [];
  store.onCommit(({ changes }) => reported.push(...changes.map(change => ({ ...change, pass: 0 }))));
  return { store, reported, build };
}

const RESULT = `
  SELECT 'document', k.id, d.id, updated_at, explicit_at, explicit_after, explicit_action, body
  FROM keys_N AS k LEFT JOIN documents_N AS d ON d.row = k.row ORDER BY k.id`;

/** Returns everything that is stored, with `_id`s instead of row numbers. */
function stored(file: string): unknown {
  const db = new Sqlite(file, { readonly: true });
  const all = (sql: string) => db.prepare(sql).raw().all();
  const collections = db
    .prepare<[], { id: number; explicit: number }>('SELECT id, explicit FROM collections')
    .all();
  const result = collections.map(({ id, explicit }) => {
    const sides = db
      .prepare<[number], { side: number; governedTable: number | null }>(
        'SELECT side, governed_side AS governedTable FROM ttl_indexes WHERE collection = ?',
      )
      .all(id)
      .flatMap(({ side, governedTable }) => [side, ...(governedTable === null ? [] : [governedTable])]);
    return [
      all(RESULT.replaceAll('_N', `_${id}`)),
      ...[explicit, ...sides].map(side => [
        all(`SELECT reference, d.id, bytes FROM entries_${side} AS e JOIN documents_${id} AS d USING (row)
             ORDER BY reference, d.id`),
        all(`SELECT * FROM counts_${side} ORDER BY level, bucket`),
      ]),
      all(`SELECT d.id, source, reference, since, problem FROM quarantine AS q JOIN documents_${id} AS d USING (row)
           WHERE q.collection = ${id} ORDER BY d.id, source`),
    ];
  });
  const others = [
    all('SELECT name, documents, bytes FROM collections'),
    all(`SELECT collection, source, id, deadline, action, gone, moved_to FROM ${EACH_REMOVAL} ORDER BY seq`),
  ];
  db.close();
  return { result, others };
}

/** Writes documents one by one; a single upsert uses `put`, a code path of its own. */
function oneByOne(store: EmbeddedStore, batch: readonly Incoming[], mode: 'insert' | 'upsert') {
  const report = {
    inserted: 0,
    updated: 0,
    expiredOnArrival: 0,
    rejected: [] as unknown[],
    ids: [] as string[],
  };
  for (const incoming of batch) {
    if (mode === 'upsert' && 'value' in incoming && isDocument(incoming.value)) {
      const { _id, ...rest } = incoming.value;
      const { created, expiredOnArrival } = store.put(COLLECTION, _id, rest);
      if (created) report.inserted += 1;
      else report.updated += 1;
      if (expiredOnArrival) report.expiredOnArrival += 1;
      report.ids.push(_id);
      continue;
    }
    const one = store.write(COLLECTION, [incoming], { mode, atomic: false, idField: 'key' });
    report.inserted += one.inserted;
    report.updated += one.updated;
    report.expiredOnArrival += one.expiredOnArrival;
    report.rejected.push(...one.rejected);
    report.ids.push(...one.ids);
  }
  return report;
}

function isDocument(value: unknown): value is { _id: string; a?: number; b?: number } {
  return typeof value === 'object' && value !== null && '_id' in value && value._id !== '';
}

async function inTwoStores(
  given: History,
  act: (one: EmbeddedStore, other: EmbeddedStore, batch: Incoming[]) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-batch-'));
  try {
    const files = [join(folder, 'one'), join(folder, 'other')] as const;
    const one = await prepared(files[0], given);
    const other = await prepared(files[1], given);
    act(one.store, other.store, numbered(given.batch));
    expect(one.reported).toEqual(other.reported);
    for (const { store, build } of [one, other]) {
      build();
      while (store.expiry.sweep(1_000));
      await store.close();
    }
    expect(stored(files[0])).toEqual(stored(files[1]));
    expect(disagreements(files[0])).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const runs = { numRuns: Number(process.env.SANDGLASS_RUNS ?? 8) };

describe('documents written together', () => {
  it('[C1, C4, E1, V2, X1] have the same effects and answers as single writes', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(history, given =>
        inTwoStores(given, (together, alone, batch) => {
          const { revision: _, ...report } = together.write(COLLECTION, batch, {
            mode: given.mode,
            atomic: false,
            idField: 'key',
          });
          expect(report).toEqual(oneByOne(alone, batch, given.mode));
        }),
      ),
      runs,
    );
  });

  it('[C1] with atomic, are not written if one of them cannot be written', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(history, given =>
        inTwoStores(given, (together, other, batch) => {
          const spoiled: Incoming[] = [...batch, { text: 'no JSON', line: batch.length + 1 }];
          const options = { mode: given.mode, idField: 'key' };
          expect(() => together.write(COLLECTION, spoiled, { ...options, atomic: true })).toThrow(
            SandglassError,
          );
          // Later writes find everything unchanged.
          together.write(COLLECTION, batch, { ...options, atomic: false });
          other.write(COLLECTION, batch, { ...options, atomic: false });
        }),
      ),
      runs,
    );
  });

  it('[E1, V2] report each document and its expiration in the order of the batch', async () => {
    const store = openEmbeddedStore({
      file: temporaryStoreFile(),
      clock: createManualClock(NOON),
      reads: 'inline',
    });
    onTestFinished(() => store.close());
    store.createCollection(COLLECTION);
    const reported: string[] = [];
    store.onCommit(({ changes }) => reported.push(...changes.map(({ kind, id }) => `${kind} ${id}`)));
    store.write(
      COLLECTION,
      [
        { text: '{"_id":"z"}', line: 1 },
        { text: '{"_id":"a"}', line: 2, expiration: { kind: 'pin' } },
        { text: '{"_id":"z","n":1}', line: 3 },
        { text: '{"_id":"b"}', line: 4 },
      ],
      { mode: 'upsert', atomic: false },
    );
    expect(reported).toEqual(['insert z', 'insert a', 'expiration a', 'update z', 'insert b']);
  });
});
