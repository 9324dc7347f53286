import type { Database } from 'better-sqlite3';
import { ManyRows } from '../../../electron/engine/deadline-index/multi-row-insert.ts';
import { type BenchDocument, batchesOf, uuidV7 } from '../documents.ts';
import { type Figures, perSecond, timed } from '../figures.ts';
import { BATCH, HOUR_MS, type Story } from '../story.ts';
import { openRaw } from './raw.ts';

/** Deletions of one row of history, and rows or keys of one DELETE. */
const PACKED = 256;
const FREED_AT_ONCE = 4_000;

/** The trees that a document, its deadline and its removal are in, as the store has them. */
const TABLES = `
  CREATE TABLE documents (row INTEGER PRIMARY KEY, id TEXT NOT NULL, updated_at INTEGER NOT NULL, explicit_at INTEGER,
    explicit_after INTEGER, body TEXT NOT NULL, explicit_action TEXT, left_by INTEGER);
  CREATE INDEX actions ON documents (explicit_at) WHERE explicit_action IS NOT NULL;
  CREATE TABLE keys (id TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE entries (reference INTEGER NOT NULL, row INTEGER NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (reference, row)) WITHOUT ROWID;
  CREATE TABLE counts (second INTEGER PRIMARY KEY, documents INTEGER NOT NULL, bytes INTEGER NOT NULL);
  CREATE TABLE log (revision INTEGER PRIMARY KEY, changes TEXT NOT NULL);
  CREATE TABLE removals (seq INTEGER PRIMARY KEY, documents INTEGER NOT NULL, packed TEXT NOT NULL);
  CREATE TABLE retained (seq INTEGER PRIMARY KEY, body TEXT NOT NULL, lengths TEXT NOT NULL);`;

/**
 * The life of documents in the store's tables by few plain statements, without the store: no check of a document, no rule of
 * expiry, no reader beside. It tells what the tables cost, and is no bound: in some cases the store is faster.
 */
export const statementsLife: Story = async (options, folder): Promise<Figures> => {
  const { documents, keys, order, retention, seed } = options;
  let db = openRaw(folder);
  db.exec(TABLES);
  const insert = prepareInsert(db);
  let ingestMs = 0;
  const from = Date.now() - 2 * HOUR_MS;
  for (const batch of batchesOf({ documents, keys, order, from, spanMs: HOUR_MS, seed }, BATCH))
    ingestMs += await timed(() => insert(batch));
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();

  db = openRaw(folder);
  // As the store's sweep, which is not synced at each step.
  db.pragma('synchronous = NORMAL');
  const listMs = await timed(() => list(db, retention > 0));
  const freeMs = await timed(() => free(db, documents));
  db.close();
  return {
    ingestPerSecond: perSecond(documents, ingestMs),
    listPerSecond: perSecond(documents, listMs),
    reclaimPerSecond: perSecond(documents, listMs + freeMs),
  };
};

/** Returns a function that writes a batch, each tree in its own order. */
function prepareInsert(db: Database): (batch: readonly BenchDocument[]) => void {
  const documents = new ManyRows(db, 'documents (row, id, updated_at, body)', 4);
  const keys = new ManyRows(db, 'keys', 2);
  const entries = new ManyRows(db, 'entries', 3);
  const count = db.prepare(
    `INSERT INTO counts VALUES (?, ?, ?) ON CONFLICT DO UPDATE
     SET documents = documents + excluded.documents, bytes = bytes + excluded.bytes`,
  );
  const log = db.prepare('INSERT INTO log (changes) VALUES (?)');
  let row = 0;
  return db.transaction((batch: readonly BenchDocument[]) => {
    const now = Date.now();
    const bySecond = new Map<number, [documents: number, bytes: number]>();
    const all = batch.map(({ _id = uuidV7(), ...document }) => {
      row += 1;
      const body = JSON.stringify({ _id, ...document });
      const second = Math.floor(document.e / 1_000);
      const [known, bytes] = bySecond.get(second) ?? [0, 0];
      bySecond.set(second, [known + 1, bytes + body.length]);
      return { id: _id, e: document.e, row, body };
    });
    documents.insert(all.flatMap(one => [one.row, one.id, now, one.body]));
    const byId = all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    keys.insert(byId.flatMap(one => [one.id, one.row]));
    const byReference = all.toSorted((a, b) => a.e - b.e);
    entries.insert(byReference.flatMap(one => [one.e, one.row, one.body.length]));
    for (const [second, counts] of bySecond) count.run(second, ...counts);
    log.run(JSON.stringify(all.map(({ id }) => id)));
  });
}

/** Writes the history of all documents, and their copies if they are kept. */
function list(db: Database, areKept: boolean): void {
  type Row = [reference: number, row: number, id: string, body: string | null];
  const next = db
    .prepare<[number, number], Row>(
      `SELECT e.reference, e.row, d.id, ${areKept ? 'd.body' : 'NULL'}
       FROM entries AS e CROSS JOIN documents AS d ON d.row = e.row
       WHERE (e.reference, e.row) > (?, ?) ORDER BY e.reference, e.row LIMIT ${PACKED}`,
    )
    .raw();
  const insert = db.prepare('INSERT INTO removals VALUES (?, ?, ?)');
  const keep = db.prepare('INSERT INTO retained VALUES (?, ?, ?)');
  let place: readonly [reference: number, row: number] = [0, 0];
  let seq = 1;
  const step = db.transaction((): boolean => {
    for (let listed = 0; listed < FREED_AT_ONCE / 2; ) {
      const rows = next.all(...place);
      const [first, last] = [rows[0], rows.at(-1)];
      if (first === undefined || last === undefined) return false;
      const packed = [rows.map(one => one[0] - first[0]), rows.map(one => one[1]), rows.map(one => one[2])];
      insert.run(seq, rows.length, JSON.stringify(packed));
      if (areKept) {
        const bodies = rows.map(one => one[3] ?? '');
        keep.run(seq, bodies.join(''), JSON.stringify(bodies.map(body => Buffer.byteLength(body))));
      }
      place = [last[0], last[1]];
      seq += rows.length;
      listed += rows.length;
    }
    return true;
  });
  while (step());
}

/** Deletes all rows, keys and entries, in the order of each tree. */
function free(db: Database, documents: number): void {
  const rows = db.prepare('DELETE FROM documents WHERE row > ? AND row <= ?');
  for (let row = 0; row < documents; row += FREED_AT_ONCE) rows.run(row, row + FREED_AT_ONCE);
  for (const [table, column] of [
    ['keys', 'id'],
    ['entries', 'reference'],
  ] as const) {
    const last = db
      .prepare<[], string | number>(
        `SELECT ${column} FROM ${table} ORDER BY ${column} LIMIT 1 OFFSET ${FREED_AT_ONCE}`,
      )
      .pluck();
    const through = db.prepare(`DELETE FROM ${table} WHERE ${column} <= ?`);
    for (let end = last.get(); end !== undefined; end = last.get()) through.run(end);
    db.exec(`DELETE FROM ${table}`);
  }
}
