import { statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { batchesOf, uuidV7 } from '../documents.ts';
import { type Figures, perSecond, timed } from '../figures.ts';
import { BATCH, HOUR_MS, type Story } from '../story.ts';

/** The pragmas of the store's own writer, so that both run with the same settings. */
export function openRaw(folder: string): Database {
  const db = new Sqlite(join(folder, 'raw.sqlite'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('cache_size = -65536');
  db.pragma('temp_store = MEMORY');
  return db;
}

/** A plain table with a unique key and an index on the deadline, written by hand. */
export function makeTable(db: Database): void {
  db.exec(`CREATE TABLE documents (row INTEGER PRIMARY KEY, id TEXT NOT NULL, deadline INTEGER NOT NULL, body TEXT NOT NULL);
    CREATE UNIQUE INDEX by_id ON documents (id);
    CREATE INDEX by_deadline ON documents (deadline);`);
}

const bytesOf = (folder: string) => statSync(join(folder, 'raw.sqlite')).size;

/** better-sqlite3 without the store: the upper bound of its speed. */
export const rawLife: Story = async ({ documents, keys, order, seed }, folder): Promise<Figures> => {
  const db = openRaw(folder);
  makeTable(db);
  const from = Date.now() - 2 * HOUR_MS;
  const insert = db.prepare('INSERT INTO documents (id, deadline, body) VALUES (?, ?, ?)');
  let ingestMs = 0;
  for (const batch of batchesOf({ documents, keys, order, from, spanMs: HOUR_MS, seed }, BATCH)) {
    ingestMs += await timed(() => {
      db.exec('BEGIN IMMEDIATE');
      for (const document of batch) {
        const { _id = uuidV7() } = document;
        insert.run(_id, document.e, JSON.stringify({ _id, ...document }));
      }
      db.exec('COMMIT');
    });
  }
  db.pragma('wal_checkpoint(TRUNCATE)');
  const bytes = bytesOf(folder);

  const width = HOUR_MS / 300;
  const groupBy = db.prepare(
    'SELECT (deadline - ?) / ? AS bucket, count(*) FROM documents WHERE deadline BETWEEN ? AND ? GROUP BY 1',
  );
  const groupByMs = await timed(() => groupBy.all(from, width, from, from + HOUR_MS));
  const scan = db.prepare(
    "SELECT count(*), sum(json_extract(body, '$.e') <= ?), sum(length(body)) FROM documents",
  );
  const scanMs = await timed(() => scan.all(from));

  const deleteMs = await timed(() => db.prepare('DELETE FROM documents WHERE deadline <= ?').run(Date.now()));
  db.close();
  return {
    ingestPerSecond: perSecond(documents, ingestMs),
    bytes,
    groupByMs,
    scanPerSecond: perSecond(documents, scanMs),
    reclaimPerSecond: perSecond(documents, deleteMs),
  };
};

/** Deletes in batches of a thousand by deadline, without the store. */
export const rawBatches: Story = async ({ documents, keys, order, seed }, folder): Promise<Figures> => {
  const db = openRaw(folder);
  makeTable(db);
  const from = Date.now() - 2 * HOUR_MS;
  const insert = db.prepare('INSERT INTO documents (id, deadline, body) VALUES (?, ?, ?)');
  for (const batch of batchesOf({ documents, keys, order, from, spanMs: HOUR_MS, seed }, BATCH)) {
    db.transaction(() => {
      for (const document of batch) {
        const { _id = uuidV7() } = document;
        insert.run(_id, document.e, JSON.stringify({ _id, ...document }));
      }
    })();
  }
  const remove = db.prepare(
    'DELETE FROM documents WHERE row IN (SELECT row FROM documents WHERE deadline <= ? ORDER BY deadline LIMIT 1000)',
  );
  const heldMs: number[] = [];
  const reclaimMs = await timed(() => {
    for (let changes = 1; changes > 0; ) {
      const began = performance.now();
      changes = remove.run(Date.now()).changes;
      heldMs.push(performance.now() - began);
    }
  });
  db.close();
  return { reclaimPerSecond: perSecond(documents, reclaimMs), heldMs };
};
