import { describe, expect, it } from 'vitest';
import type { PostgresBackend } from '../../../../../electron/engine/backends/postgresql/postgres-backend.ts';
import { NEEDS_POSTGRES, openTestSession, postgresOfSuite } from '../../../../support/postgres.ts';
import { openTestPostgres } from '../../../../support/postgres-backend.ts';
import { runsHere } from '../../../../support/runs-here.ts';

const ALL = { limit: 100, sort: '_id', order: 'asc', includeExpired: false } as const;

describe.runIf(runsHere('rows of PostgreSQL', NEEDS_POSTGRES))('the tables of a PostgreSQL database', () => {
  const server = postgresOfSuite();

  /** Opens a database in which these statements were executed. */
  async function databaseOf(...statements: readonly string[]): Promise<PostgresBackend> {
    const uri = await server.database();
    const session = await openTestSession(uri);
    for (const statement of statements) await session.query(statement);
    return await openTestPostgres(uri);
  }

  async function idsOf(backend: PostgresBackend, collection: string, query = {}): Promise<string[]> {
    const page = await backend.reads.documents({ ...ALL, ...query, collection }, 0);
    return page.documents.map(({ _id }) => _id);
  }

  it('are collections by the name that they have in SQL, without those of the system', async () => {
    const backend = await databaseOf(
      'CREATE TABLE sessions (id int PRIMARY KEY)',
      'CREATE SCHEMA billing',
      'CREATE TABLE billing.invoices (id int PRIMARY KEY)',
      'CREATE SCHEMA "My ""Schema"""',
      `CREATE TABLE "My ""Schema"""."it's; a table." ("the ""key""" text PRIMARY KEY, "a'b" int)`,
      'CREATE VIEW seen AS SELECT 1 AS a',
      'CREATE TABLE parted (id int, at timestamptz, PRIMARY KEY (id, at)) PARTITION BY RANGE (at)',
      `CREATE TABLE part_1 PARTITION OF parted FOR VALUES FROM ('2026-01-01') TO ('2026-02-01')`,
      `INSERT INTO parted VALUES (1, '2026-01-05')`,
      `INSERT INTO "My ""Schema"""."it's; a table." VALUES ('it''s "me"', 4)`,
    );
    const strange = `"My ""Schema"""."it's; a table."`;
    expect(backend.collectionNames()).toEqual([strange, 'billing.invoices', 'parted', 'sessions']);
    const row = await backend.reads.document({ collection: strange, id: `it's "me"` });
    expect(row).toMatchObject({ _id: `it's "me"`, document: { 'the "key"': `it's "me"`, "a'b": 4 } });
    await backend.put(strange, `it's "me"`, { "a'b": 5 });
    expect((await backend.reads.document({ collection: strange, id: `it's "me"` })).document).toMatchObject({
      "a'b": 5,
    });
    const id = JSON.stringify(['1', '2026-01-05 00:00:00+00']);
    expect(await idsOf(backend, 'parted')).toEqual([id]);
    await backend.delete('parted', [id]);
    expect(await idsOf(backend, 'parted')).toEqual([]);
  });

  it('are found when they are created while the database is open', async () => {
    const uri = await server.database();
    const backend = await openTestPostgres(uri);
    const session = await openTestSession(uri);
    await session.query('CREATE TABLE later (id int PRIMARY KEY)');
    expect(await idsOf(backend, 'later')).toEqual([]);
    await expect(idsOf(backend, 'never')).rejects.toMatchObject({ code: 'COLLECTION_NOT_FOUND' });
  });

  it('give every type as JSON without loss', async () => {
    const backend = await databaseOf(
      `CREATE TYPE mood AS ENUM ('sad', 'happy')`,
      `CREATE TABLE every (id uuid PRIMARY KEY, big bigint, exact numeric(40,20), small numeric(5,2), yes boolean,
        at timestamptz, local timestamp, day date, never timestamptz, json jsonb, list int[], mood mood, bytes bytea,
        span interval, gone text)`,
      `INSERT INTO every VALUES ('0b5c2f3e-8a3c-4a57-9f5b-1c2d3e4f5a6b', 9223372036854775807, 1.23456789012345678901, 1.50, true,
        '2026-01-02 03:04:05.678901+02', '2026-01-02 03:04:05', '2026-01-02', 'infinity', '{"a": [1, null]}', '{1,2,NULL}', 'happy',
        '\\x00ff', '1 day', NULL)`,
    );
    const [id = ''] = await idsOf(backend, 'every');
    const { document } = await backend.reads.document({ collection: 'every', id });
    expect(document).toEqual({
      _id: id,
      id,
      big: 9_223_372_036_854_775_807n,
      exact: '1.23456789012345678901',
      small: 1.5,
      yes: true,
      at: '2026-01-02T01:04:05.678901+00:00',
      local: '2026-01-02T03:04:05',
      day: '2026-01-02',
      never: 'infinity',
      json: { a: [1, null] },
      list: [1, 2, null],
      mood: 'happy',
      bytes: '\\x00ff',
      span: 'P1D',
      gone: null,
    });
    // What was read can be written, with each value changed.
    const changed = {
      ...document,
      big: -9_007_199_254_740_993n,
      exact: '2.5',
      yes: false,
      at: '2026-02-02T00:00:00Z',
      never: '-infinity',
      json: [1],
      list: [3],
      mood: 'sad',
      bytes: '\\xaa',
      gone: "it's",
    };
    await backend.put('every', id, changed);
    expect((await backend.reads.document({ collection: 'every', id })).document).toEqual({
      ...changed,
      exact: '2.50000000000000000000',
      at: '2026-02-02T00:00:00+00:00',
    });
  });

  it('are listed in pages by the primary key, of one column and of several', async () => {
    const backend = await databaseOf(
      'CREATE TABLE one AS SELECT generate_series(1, 250)::bigint AS id, repeat(chr(97), 10) AS text',
      'ALTER TABLE one ADD PRIMARY KEY (id)',
      `CREATE TABLE two AS SELECT a::text, b FROM generate_series(1, 20) a, generate_series(1, 10) b`,
      'ALTER TABLE two ADD PRIMARY KEY (b, a)',
    );
    for (const [collection, order, count] of [
      ['one', 'asc', 250],
      ['one', 'desc', 250],
      ['two', 'asc', 200],
      ['two', 'desc', 200],
    ] as const) {
      const ids: string[] = [];
      let after: string | null | undefined;
      do {
        const query = { ...ALL, limit: 60, order, collection, ...(after && { after }) };
        const page = await backend.reads.documents(query, 0);
        ids.push(...page.documents.map(({ _id }) => _id));
        after = page.next;
      } while (after !== null);
      expect(new Set(ids).size).toBe(count);
      if (collection === 'one') {
        const numbers = ids.map(Number);
        expect(numbers).toEqual(numbers.toSorted((a, b) => (order === 'asc' ? a - b : b - a)));
      } else expect(ids[0]).toBe(order === 'asc' ? '["1","1"]' : '["10","9"]');
    }
    expect(await idsOf(backend, 'one', { startAt: '249' })).toEqual(['249', '250']);
    expect(await idsOf(backend, 'two', { startAt: '["10","8"]' })).toEqual(['["10","8"]', '["10","9"]']);
  });

  it('search text in all columns', async () => {
    const backend = await databaseOf(
      `CREATE TABLE notes AS SELECT i AS id, 'note ' || i AS text, '{"tag": "Blue"}'::jsonb AS json FROM generate_series(1, 30) i`,
      'ALTER TABLE notes ADD PRIMARY KEY (id)',
      `UPDATE notes SET json = '{}' WHERE id <> 7`,
    );
    expect(await idsOf(backend, 'notes', { filter: 'bLuE' })).toEqual(['7']);
    expect(await idsOf(backend, 'notes', { filter: 'note 30' })).toEqual(['30']);
    const { ids } = await backend.reads.matchingIds(
      { collection: 'notes', filter: { filter: 'note 1' }, after: null },
      0,
    );
    expect(ids).toEqual(['1', '10', '11', '12', '13', '14', '15', '16', '17', '18', '19']);
  });

  it('without a primary key are shown and cannot be changed, for a reason', async () => {
    const backend = await databaseOf(
      'CREATE TABLE bare AS SELECT generate_series(1, 5) AS n',
      'CREATE TABLE parted (n int) PARTITION BY LIST (n)',
      'CREATE TABLE part_1 PARTITION OF parted FOR VALUES IN (1)',
      'CREATE TABLE part_2 PARTITION OF parted FOR VALUES IN (2)',
      'INSERT INTO parted VALUES (1), (2)',
    );
    const page = await backend.reads.documents({ ...ALL, limit: 3, collection: 'bare' }, 0);
    expect(page.documents.map(({ document }) => document.n)).toEqual([1, 2, 3]);
    expect(await idsOf(backend, 'bare', { after: page.next })).toHaveLength(2);
    expect(await idsOf(backend, 'parted')).toHaveLength(2);
    const refusal = { code: 'NOT_SUPPORTED', message: expect.stringContaining('no primary key') };
    const id = page.documents[0]?._id ?? '';
    await expect(backend.delete('bare', [id])).rejects.toMatchObject(refusal);
    await expect(backend.put('bare', id, { n: 2 })).rejects.toMatchObject(refusal);
    expect(backend.remote.findings.map(({ id }) => id)).toEqual(['tables without a primary key']);
  });

  it('of 300 columns are read, clipped and written', async () => {
    const columns = Array.from({ length: 300 }, (_, i) => `"column ${i}" text`);
    const backend = await databaseOf(
      `CREATE TABLE wide (id int PRIMARY KEY, ${columns.join(', ')})`,
      `INSERT INTO wide (id, "column 7") VALUES (1, repeat('x', 1000000)), (2, 'short')`,
    );
    const query = { ...ALL, collection: 'wide', clip: 4096 };
    const [long, short] = (await backend.reads.documents(query, 0)).documents;
    expect(long).toMatchObject({ clipped: true, document: { 'column 7': 'x'.repeat(256) } });
    expect(short?.clipped).toBeUndefined();
    expect(Object.keys(short?.document ?? {})).toHaveLength(302);
    const { document } = await backend.reads.document({ collection: 'wide', id: '1' });
    expect(document['column 7']).toHaveLength(1_000_000);
    await backend.put('wide', '1', { ...document, 'column 299': 'changed' });
    expect((await backend.reads.document({ collection: 'wide', id: '1' })).document['column 299']).toBe(
      'changed',
    );
  });

  it('end a page of large rows by their bytes, and go on after it', async () => {
    const backend = await databaseOf(
      `CREATE TABLE large (id int PRIMARY KEY, bytes bytea)`,
      'ALTER TABLE large ALTER bytes SET STORAGE EXTERNAL',
      `INSERT INTO large SELECT i, convert_to(repeat('x', 3000000), 'UTF8') FROM generate_series(1, 5) i`,
    );
    const first = await backend.reads.documents({ ...ALL, collection: 'large' }, 0);
    expect(first.documents.map(({ _id }) => _id)).toEqual(['1', '2', '3']);
    expect(first).toMatchObject({ partial: true });
    expect(await idsOf(backend, 'large', { after: first.next })).toEqual(['4', '5']);
  });

  it('refuse values that do not fit, unknown columns and a changed key, and change nothing', async () => {
    const backend = await databaseOf(
      `CREATE TABLE strict (id int PRIMARY KEY, n int NOT NULL CHECK (n > 0), d int GENERATED ALWAYS AS (n * 2) STORED)`,
      'INSERT INTO strict VALUES (1, 1)',
    );
    const refused = async (document: Parameters<typeof backend.put>[2]) => {
      try {
        await backend.put('strict', '1', document);
      } catch (error) {
        return error instanceof Error && 'code' in error ? error.code : error;
      }
    };
    expect(await refused({ n: 'text' })).toBe('INVALID_DOCUMENT');
    expect(await refused({ n: -1 })).toBe('EXPECTATION_FAILED');
    expect(await refused({ n: null })).toBe('EXPECTATION_FAILED');
    expect(await refused({ unknown: 1 })).toBe('INVALID_DOCUMENT');
    expect(await refused({ id: 2 })).toBe('INVALID_DOCUMENT');
    expect(await refused({ d: 7 })).toBe('INVALID_DOCUMENT');
    await expect(backend.put('strict', '2', { n: 1 })).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
    await expect(backend.put('strict', 'x', { n: 1 })).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
    expect((await backend.reads.document({ collection: 'strict', id: '1' })).document).toEqual({
      _id: '1',
      id: 1,
      n: 1,
      d: 2,
    });
  });

  it('delete each row alone: a referenced or missing one fails, with its reason', async () => {
    const backend = await databaseOf(
      'CREATE TABLE parents AS SELECT generate_series(1, 1200) AS id',
      'ALTER TABLE parents ADD PRIMARY KEY (id)',
      'CREATE TABLE children (id int PRIMARY KEY, parent int REFERENCES parents)',
      'INSERT INTO children VALUES (1, 600)',
    );
    const ids = Array.from({ length: 1201 }, (_, i) => String(i + 1));
    const result = await backend.delete('parents', [...ids, 'x']);
    expect(result.succeeded).toBe(1199);
    expect(result.failed.map(({ _id, code }) => [_id, code])).toEqual([
      ['600', 'EXPECTATION_FAILED'],
      ['1201', 'DOCUMENT_NOT_FOUND'],
      ['x', 'DOCUMENT_NOT_FOUND'],
    ]);
    expect(await idsOf(backend, 'parents')).toEqual(['600']);
    expect((await backend.reads.missing('parents', ['600', '601', 'y'])).missing).toEqual(['601', 'y']);
  });

  it('name rows by texts that are empty or look like a key of several columns', async () => {
    const backend = await databaseOf(
      'CREATE TABLE texts (id text PRIMARY KEY)',
      `INSERT INTO texts VALUES (''), ('["a"]'), ('a')`,
    );
    const ids = await idsOf(backend, 'texts');
    expect(ids.toSorted()).toEqual(['[""]', '["[\\"a\\"]"]', 'a']);
    for (const id of ids) expect((await backend.reads.document({ collection: 'texts', id }))._id).toBe(id);
    expect((await backend.delete('texts', ids)).succeeded).toBe(3);
  });
});
