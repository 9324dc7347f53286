import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { DueEntries } from '../../../../electron/engine/backends/embedded/expiry/due-entries.ts';
import {
  type Database,
  openForReading,
} from '../../../../electron/engine/backends/embedded/file/database.ts';
import { ChangeReader } from '../../../../electron/engine/backends/embedded/read/read-changes.ts';
import { ReadConnection } from '../../../../electron/engine/backends/embedded/read/read-connection.ts';
import { readPasses } from '../../../../electron/engine/backends/embedded/read/read-history.ts';
import { prepareDocuments } from '../../../../electron/engine/backends/embedded/tables/documents/documents.ts';
import { Meta } from '../../../../electron/engine/backends/embedded/tables/meta.ts';
import { PassesTable } from '../../../../electron/engine/backends/embedded/tables/passes.ts';
import { Quarantine } from '../../../../electron/engine/backends/embedded/tables/quarantine.ts';
import { ExpiredIntervals } from '../../../../electron/engine/backends/embedded/tables/removals/expired-intervals.ts';
import { RemovalReader } from '../../../../electron/engine/backends/embedded/tables/removals/removal-reader.ts';
import { RetainedCopies } from '../../../../electron/engine/backends/embedded/tables/removals/retained-copies.ts';
import { ExpiryCountsTable } from '../../../../electron/engine/deadline-index/expiry-counts.ts';
import { IndexTable } from '../../../../electron/engine/deadline-index/index-table.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import { listIds, on, write } from '../../../support/documents.ts';
import { DAY, HOUR, NOON, openTestEngine } from '../../../support/engine.ts';
import { removalsTable } from '../../../support/removals-table.ts';

/** Opens a connection that records the text of its prepared statements. */
function listening(file: string): { db: Database; prepared: string[] } {
  const prepared: string[] = [];
  const db = new Sqlite(file);
  const prepare = db.prepare.bind(db);
  const listen: typeof prepare = (source: string) => {
    prepared.push(source);
    return prepare(source);
  };
  db.prepare = listen;
  return { db, prepared };
}

function planOf(db: Database, sql: string): string {
  const parameters = new Array<number>((sql.match(/\?/g) ?? []).length).fill(1);
  const steps = db.prepare<number[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
  return steps.map(({ detail }) => detail).join('; ');
}

/** Statements are prepared at their first use. */
function useEveryStatement(table: IndexTable): void {
  const entry = { reference: NOON, row: 1, bytes: 1 };
  table.add(entry.reference, entry.row, entry.bytes);
  table.flushCounts();
  table.first();
  table.last();
  table.before(NOON + 1);
  table.reasons();
  table.fullest(0, NOON, NOON + 1_000, 1);
  table.entries(0, NOON, null, 1);
  table.entriesBackwards(0, NOON, null, 1);
  table.bytesOf(entry.reference, entry.row);
  table.histogram([NOON, NOON + 1_000, NOON + 2_000]);
  table.histogram([NOON, NOON + 1, NOON + 2]);
  table.documentsBefore(NOON + 1);
  table.throughOfFirst(0);
  table.cut([entry]);
  table.remove(entry.reference, entry.row, entry.bytes);
}

async function storeWithIndex() {
  const test = openTestEngine();
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await test.settle();
  return test;
}

describe('a hot statement', () => {
  it('[R1, R2, X2] on an index table seeks by its key and never scans or sorts', async () => {
    const { file } = await storeWithIndex();
    const { db, prepared } = listening(file);
    // Numbers as the first collection and its first index have them.
    useEveryStatement(new IndexTable(db, 2, null));
    useEveryStatement(new IndexTable(db, 2, { throughOf: () => NOON + DAY, hasInterval: () => true }));
    new DueEntries(db, { table: new IndexTable(db, 2, null), collection: 1, isExplicit: false });
    const hot = prepared.filter(sql => !sql.startsWith('INSERT') && !sql.includes('documents >= ?'));
    expect(hot.length).toBeGreaterThan(8);
    for (const sql of hot) {
      const plan = planOf(db, sql);
      expect(plan, sql).toContain('USING PRIMARY KEY');
      expect(plan, sql).not.toMatch(/SCAN (?!\(subquery)/);
      // Buckets finer than a second are grouped as they are read: a few hundred of them.
      if (!sql.includes('GROUP BY bucket')) expect(plan, sql).not.toContain('TEMP B-TREE');
    }
    db.close();
  });

  it('[X4] on restorable copies seeks, for any number of copies', async () => {
    const { file } = await storeWithIndex();
    const { db, prepared } = listening(file);
    new RetainedCopies(db, removalsTable(db), () => DEFAULT_SETTINGS);
    // A follower's new copy begins with deleting all rows of removals.
    const onRows = prepared.filter(
      sql =>
        !/^(INSERT INTO|WITH)/.test(sql) &&
        !sql.includes('meta SET') &&
        sql !== 'DELETE FROM removals' &&
        sql !== 'DELETE FROM unlisted_retention' &&
        // A few rows, until the sweep has ended them.
        !sql.includes('expired_intervals'),
    );
    expect(onRows.length).toBeGreaterThan(5);
    for (const sql of onRows.filter(sql => !sql.includes('ORDER BY seq LIMIT'))) {
      const plan = planOf(db, sql);
      expect(plan, sql).toContain('SEARCH');
      expect(plan, sql).not.toMatch(/SCAN|TEMP B-TREE/);
    }
    db.close();
  });

  it('[A5] on quarantined documents seeks, by document and by rule', async () => {
    const { file } = await storeWithIndex();
    const { db, prepared } = listening(file);
    new Quarantine(db);
    // A check for any quarantined document reads one row only.
    const hot = prepared.filter(
      sql =>
        !sql.startsWith('INSERT') &&
        !sql.endsWith('LIMIT 1') &&
        sql !== 'DELETE FROM quarantine' &&
        !sql.endsWith('LIMIT ?'),
    );
    expect(hot).toHaveLength(4);
    for (const sql of hot) {
      expect(planOf(db, sql), sql).toContain('SEARCH');
      expect(planOf(db, sql), sql).not.toMatch(/SCAN|TEMP B-TREE/);
    }
    db.close();
  });

  it('[R5, R7, X2] that deletes old passes and counts reads only the oldest', async () => {
    const { file } = await storeWithIndex();
    const { db, prepared } = listening(file);
    new ExpiryCountsTable(db);
    new PassesTable(db);
    const hot = prepared.filter(
      sql => (sql.startsWith('DELETE') && !sql.includes('collection = ? LIMIT')) || sql.includes('min('),
    );
    expect(hot).toHaveLength(3);
    for (const sql of hot) {
      // The oldest passes are read in the order of their numbers, up to the limit.
      const plan = planOf(db, sql).replace(/LIST SUBQUERY \d+; SCAN passes( USING COVERING INDEX \w+)?$/, '');
      expect(plan, sql).toContain('SEARCH');
      expect(plan, sql).not.toMatch(/SCAN|TEMP B-TREE/);
    }
    db.close();
  });

  it('[R7] for the passes of one collection reads only its passes', async () => {
    const { file } = await storeWithIndex();
    const reader = new ReadConnection(file);
    const prepared: string[] = [];
    const prepare = reader.db.prepare.bind(reader.db);
    const listen: typeof prepare = (source: string) => {
      if (source.includes('passes')) prepared.push(source);
      return prepare(source);
    };
    reader.db.prepare = listen;
    expect(reader.read(() => readPasses(reader, { collection: 'c', limit: 10 })).passes).toEqual([]);
    const plan = prepare(`EXPLAIN QUERY PLAN ${prepared[0]}`).all({ id: 1, before: 1, limit: 1 });
    expect(JSON.stringify(plan)).toContain('passes_by_collection (collection=? AND id<?)');
    reader.close();
  });

  it('[V3] on the change log seeks, for a log of any length', async () => {
    const { file } = await storeWithIndex();
    const { db, prepared } = listening(file);
    const removals = new RemovalReader(db, new ExpiredIntervals(db));
    new ChangeReader({ db, meta: new Meta(new Sqlite(file)), removals });
    // A watch checks once, at its start and by a scan, whether the log has names of unknown collections.
    const hot = prepared.filter(sql => !sql.includes('instr'));
    expect(hot).toHaveLength(4);
    for (const sql of hot) {
      expect(planOf(db, sql), sql).toContain('SEARCH');
      expect(planOf(db, sql), sql).not.toMatch(/SCAN|TEMP B-TREE/);
    }
    db.close();
  });

  it('[V1] that reads a next page begins at its first row', async () => {
    const { file } = await storeWithIndex();
    const { db, prepared } = listening(file);
    useEveryStatement(new IndexTable(db, 2, null));
    const pages = prepared.filter(sql => sql.includes('LIMIT ?') && sql.includes('(reference, row)'));
    expect(pages).toHaveLength(2);
    expect(planOf(db, pages[0] ?? '')).toContain('(reference,row)>(?,?)');
    expect(planOf(db, pages[1] ?? '')).toContain('(reference,row)<(?,?)');
    useEveryStatement(new IndexTable(db, 2, { throughOf: () => NOON + DAY, hasInterval: () => true }));
    const late = prepared.filter(sql => sql.includes('FROM (SELECT') && sql.includes('(reference, row)'));
    expect(late).toHaveLength(2);
    expect(planOf(db, late[0] ?? '')).toContain('(index_table=? AND (reference,row)>(?,?)');
    expect(planOf(db, late[1] ?? '')).toContain('(reference,row)<(?,?)');
    db.close();
  });

  it('[E1] that finds explicit expirations with another action reads only those', async () => {
    const { file } = await storeWithIndex();
    const { db, prepared } = listening(file);
    prepareDocuments(db, 1).withAction().all(0, NOON, 1);
    const [hot] = prepared.filter(sql => sql.includes('explicit_action IS NOT NULL'));
    expect(planOf(db, hot ?? '')).toBe(
      'SEARCH documents_1 USING INDEX actions_1 (explicit_at>? AND explicit_at<?)',
    );
    db.close();
  });

  it('[C1] on documents and keys also seeks', async () => {
    const { file } = await storeWithIndex();
    const db = openForReading(file);
    expect(planOf(db, 'SELECT row FROM keys_1 WHERE id = ?')).toContain('USING PRIMARY KEY');
    expect(planOf(db, 'SELECT id, row FROM keys_1 WHERE id > ? ORDER BY id')).not.toMatch(/SCAN|TEMP/);
    expect(planOf(db, 'SELECT body FROM documents_1 WHERE row > ? ORDER BY row LIMIT ?')).toContain(
      'INTEGER PRIMARY KEY',
    );
    expect(planOf(db, 'SELECT seq FROM removals WHERE seq > ? ORDER BY seq')).toContain(
      'INTEGER PRIMARY KEY',
    );
    expect(
      planOf(
        db,
        'SELECT bucket FROM expiry_counts WHERE collection = ? AND level = ? AND bucket >= ? AND bucket < ?',
      ),
    ).toContain('USING PRIMARY KEY');
    db.close();
  });
});

describe('turning pages', () => {
  it('[V1] by deadline continues exactly after the last row, also within a time span, in both directions', async () => {
    const { client } = await storeWithIndex();
    const all = Array.from({ length: 300 }, (_, i) => ({
      _id: String(i).padStart(3, '0'),
      exp: NOON + HOUR + Math.floor(i / 7) * 1_000,
    }));
    await write(client, 'c', [...all, { _id: 'never' }, { _id: 'far', exp: NOON + DAY }]);
    const inWindow = all
      .filter(({ exp }) => exp >= NOON + HOUR + 5_000 && exp < NOON + HOUR + 20_000)
      .map(({ _id }) => _id);
    const window = { dueFrom: NOON + HOUR + 5_000, dueTo: NOON + HOUR + 20_000 };
    for (const limit of [1, 7, 50, 1_000]) {
      const query = { collection: 'c', sort: 'deadline' as const, limit, ...window };
      expect(await listIds(client, query)).toEqual(inWindow);
      expect(await listIds(client, { ...query, order: 'desc' })).toEqual([...inWindow].reverse());
    }
  });
});
