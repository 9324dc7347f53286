import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PreviewQuery } from '../../../../electron/engine/backends/backend.ts';
import {
  previewByScan,
  type ScanTurn,
} from '../../../../electron/engine/backends/embedded/read/preview/preview-by-scan.ts';
import {
  documentsByField,
  SEPARATOR,
} from '../../../../electron/engine/backends/embedded/read/preview/preview-fields.ts';
import { ruleOf } from '../../../../electron/engine/backends/embedded/read/preview/preview-rules.ts';
import { PreviewSums } from '../../../../electron/engine/backends/embedded/read/preview/preview-sums.ts';
import { ReadConnection } from '../../../../electron/engine/backends/embedded/read/read-connection.ts';
import { openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import {
  ROW,
  type StoredRow,
} from '../../../../electron/engine/backends/embedded/tables/documents/stored-row.ts';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';
import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
import { on } from '../../../support/documents.ts';
import { DAY, HOUR, NOON, SECOND } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const spaces = fc.constantFrom('', '', '', ' ', '\n\t ');
const times = fc.oneof(
  fc.constantFrom(-1, 0, 1, HOUR, DAY, 8 * DAY).map(ms => NOON + ms),
  fc.integer({ min: -DAY, max: 40 * DAY }).map(ms => NOON + ms),
);
/** Usual and unusual values. */
const plain = fc.oneof(
  times.map(String),
  times.map(ms => String(Math.floor(ms / SECOND))),
  times.map(ms => `${ms}.5`),
  times.map(ms => JSON.stringify(new Date(ms).toISOString())),
  fc.constantFrom(
    ...['null', 'true', '0', '-0', '5', '1e12', '1.7e12', '1e400', '-1795262400000', '9007199254740993'],
    ...['123456789012345678901234567890', '"2026-11-21"', '"2026-02-30"', '"\\u0032026-11-21"', '""'],
    ...['"e"', '"{"', '"["', '"\\\\"', '"\\"e\\": 1795262400000"', '":"', '","', '"ünï 🙂"', '[]', '{}'],
  ),
);
const keys = fc.constantFrom(
  '"e"',
  '"e"',
  '"\\u0065"',
  '"meta"',
  '"ttl"',
  '"é"',
  '","',
  '":"',
  '"a b"',
  '"_e"',
);
const { value: values } = fc.letrec<{ value: string; object: string }>(tie => ({
  value: fc.oneof(
    { weight: 6, arbitrary: plain },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }).map(all => `[${all.join(', ')}]`) },
    { weight: 1, arbitrary: tie('object') },
  ),
  object: objectOf(tie('value')),
}));

function objectOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const member = fc
    .tuple(keys, spaces, spaces, value, spaces)
    .map(([key, a, b, text, c]) => `${key}${a}:${b}${text}${c}`);
  return fc.tuple(spaces, fc.array(member, { maxLength: 4 })).map(([a, all]) => `{${a}${all.join(',')}}`);
}
const documents = objectOf(values);

const rows = fc.array(
  fc.record({
    body: fc.oneof(
      { weight: 40, arbitrary: documents },
      // Too large for a slice.
      { weight: 1, arbitrary: times.map(ms => `{"e":${ms},"note":"${'ü'.repeat(9_000)}"}`) },
    ),
    gap: fc.constantFrom(1, 1, 1, 1, 1, 7),
    explicitAt: fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, fc.constantFrom(-1, NOON + DAY)),
  }),
  { minLength: 1, maxLength: 300 },
);
const fields = fc.constantFrom('e', 'e', 'e', 'meta', 'meta.e', 'é', ',', ':', 'a b', '_e', 'none');
const sources: fc.Arbitrary<TtlSource> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fields, fc.constantFrom('milliseconds' as const, 'seconds' as const))
      .map(([field, unit]) => on(field, { unit, expireAfter: 60 })),
  },
  {
    weight: 1,
    arbitrary: fc.constant<TtlSource>({
      kind: 'field',
      field: 'e',
      unit: 'milliseconds',
      expireAfterField: 'ttl',
    }),
  },
  { weight: 1, arbitrary: fc.constant<TtlSource>({ kind: 'lastModified', expireAfter: 3_600 }) },
  { weight: 1, arbitrary: fc.constant<TtlSource>({ kind: 'expression', expression: 'timestampMs(doc.e)' }) },
);
const queries: fc.Arbitrary<PreviewQuery> = fc.oneof(
  { weight: 9, arbitrary: sources.map(source => ({ collection: 'c', source })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('one', 'two').map(name => ({ collection: 'c', name, drop: true as const })),
  },
);

const CONTEXT = { now: NOON, drainRate: 1_000 };
/** A scan turn that never ends. `next` is called where the scan yields. */
const turnOf = (next: () => Promise<void>): ScanTurn => ({
  next,
  isOver: () => false,
  within: work => work(),
});
const NEVER_ABORTED = { turn: turnOf(async () => {}), signal: undefined };

/** Creates a store with two indexes in which some documents are removed and their rows still present. */
async function storeWithDead(): Promise<string> {
  const file = temporaryStoreFile();
  const store = openEmbeddedStore({ file, clock: createManualClock(NOON), reads: 'inline' });
  store.createCollection('c');
  for (const [name, field] of [
    ['one', 'a'],
    ['two', 'e'],
  ] as const) {
    const definition = {
      name,
      source: on(field),
      onExpire: { action: 'delete' },
      schedule: { mode: 'exact' },
      limits: {},
      retention: null,
    } as const;
    store.createIndex('c', definition, { by: 'ada', isExpected: true });
    const target = { kind: 'index', collection: 'c', index: name } as const;
    while (store.backfill(target, 1_000)?.finished === false);
  }
  const written = Array.from({ length: 200 }, (_, i) => ({
    value: { _id: `d${i}`, a: NOON + (i % 3 === 0 ? -1 : DAY), e: NOON + DAY + i },
    line: i + 1,
  }));
  store.write('c', written, { mode: 'insert', atomic: true });
  const source = store.expiry.sources().find(({ index }) => index === 'one');
  if (source === undefined) throw new Error('there is no such source');
  store.expiry.reap(
    source,
    { cutoff: NOON, budgetMs: () => 1_000, maxDocuments: 1_000, isLast: true },
    newPass({ id: 1, collection: 'c', trigger: 'manual', at: NOON }),
  );
  expect(store.unswept()).toBe(67);
  await store.close();
  return file;
}

/** Computes the same preview with each document read alone. */
function previewOneByOne(reader: ReadConnection, query: PreviewQuery) {
  return reader.read(() => {
    const collection = reader.collection('c');
    const sums = new PreviewSums(ruleOf(reader, collection, query), NOON);
    const all = reader.db.prepare<[], StoredRow>(`SELECT ${ROW} FROM documents_1 ORDER BY row`).all();
    for (const stored of all) if (!reader.tombstones.of(1).has(stored.row)) sums.read(stored);
    return sums.answer(reader.revision, CONTEXT.drainRate);
  });
}

describe('a preview that reads documents in slices', () => {
  it('[X3, D1 to D8, E1] equals one that reads each document alone, for any documents', async () => {
    const file = await storeWithDead();
    const writer = new Sqlite(file);
    const clear = writer.prepare('DELETE FROM documents_1 WHERE row > 200');
    const insert = writer.prepare(
      'INSERT INTO documents_1 (row, id, updated_at, explicit_at, body) VALUES (?, ?, ?, ?, ?)',
    );
    const reader = new ReadConnection(file);
    await fc.assert(
      fc.asyncProperty(rows, queries, async (added, query) => {
        clear.run();
        let row = 200;
        for (const { body, gap, explicitAt } of added) {
          row += gap;
          insert.run(row, `r${row}`, NOON - row, explicitAt, body);
        }
        expect(await previewByScan(reader, query, CONTEXT, NEVER_ABORTED)).toEqual(
          previewOneByOne(reader, query),
        );
      }),
      { numRuns: 150 },
    );
    reader.close();
    writer.close();
  });

  it('[X3] yields, even between large documents, and stops when cancelled', async () => {
    const file = await storeWithDead();
    const writer = new Sqlite(file);
    const body = JSON.stringify({ e: NOON, note: 'x'.repeat(400_000) });
    for (let row = 201; row <= 240; row += 1)
      writer
        .prepare('INSERT INTO documents_1 (row, id, updated_at, body) VALUES (?, ?, 0, ?)')
        .run(row, `r${row}`, body);
    writer.close();
    const reader = new ReadConnection(file);
    const query = { collection: 'c', source: on('e') };
    let pauses = 0;
    const counting = async () => {
      pauses += 1;
    };
    await previewByScan(reader, query, CONTEXT, { turn: turnOf(counting), signal: undefined });
    // Forty of them are 16 MiB.
    expect(pauses).toBeGreaterThan(13);
    const controller = new AbortController();
    const aborting = async () => controller.abort();
    const options = { turn: turnOf(aborting), signal: controller.signal };
    await expect(previewByScan(reader, query, CONTEXT, options)).rejects.toMatchObject({ code: 'CANCELLED' });
    reader.close();
  });
});

describe('a field found in the text', () => {
  it('[C1, D1] equals the parsed one; null without text', () => {
    const lists = fc.array(fc.oneof({ weight: 9, arbitrary: documents }, fc.constant('')), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(lists, fc.constantFrom('e', 'é', '_e', 'ttl'), (texts, field) => {
        const found = documentsByField(texts.join(SEPARATOR), field);
        expect(found).toHaveLength(texts.length);
        for (const [i, text] of texts.entries()) {
          const document = text === '' ? null : JSON.parse(text);
          const seen = found[i] as Record<string, unknown> | null;
          if (document === null) expect(seen).toBeNull();
          else expect(seen?.[field]).toEqual(document[field]);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
