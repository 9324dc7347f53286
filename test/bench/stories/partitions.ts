import type { Database } from 'better-sqlite3';
import { batchesOf, uuidV7 } from '../documents.ts';
import { type Figures, perSecond, timed } from '../figures.ts';
import { BATCH, HOUR_MS, type Story } from '../story.ts';
import { openRaw } from './raw.ts';

/** Documents of a partition: as many as are dropped in about the time of one batch of the reaper. */
const IN_PARTITION = 100_000;
/** Share of the documents that is removed: the earliest deadlines. */
const DEAD_SHARE = 0.5;
const LOOKUPS = 50_000;
const BITS_PER_KEY = 10;
const HASHES = 7;
const KEYS_PER_READ = 128;
const RUN = 64;

interface Place {
  readonly id: string;
  readonly partition: number;
  readonly body: string;
}

/**
 * Partitions by reference time, as a question: rows and keys of removed documents freed as the sweep does it, or by
 * dropping partitions, with one table of keys for all of them or with one and a Bloom filter for each; and what a lookup by
 * `_id` then costs. On better-sqlite3 with the store's settings and the schema of its rows and keys.
 */
export const partitions: Story = async (options, folder): Promise<Figures> => {
  const { documents } = options;
  const count = Math.max(2, Math.round(documents / IN_PARTITION));
  const dead = Math.round(count * DEAD_SHARE);
  const from = Date.now();
  const spanMs = HOUR_MS;
  function* places(): Generator<Place[]> {
    for (const batch of batchesOf({ ...options, from, spanMs }, BATCH))
      yield batch.map(({ _id = uuidV7(), ...document }) => ({
        id: _id,
        partition: Math.min(count - 1, Math.floor(((Number(document.e) - from) / spanMs) * count)),
        body: JSON.stringify({ _id, ...document }),
      }));
  }
  const db = openRaw(folder);
  const together = await oneTable(db, places(), dead);
  const shared = await partitionsWithSharedKeys(db, places(), count, dead);
  const own = await partitionsWithOwnKeys(db, places(), count, dead);
  db.close();
  return { partitions: count, ...together, ...shared, ...own };
};

/** Rows and keys in one table each; freed in row order and in key order, as the sweep does. */
async function oneTable(db: Database, batches: Iterable<Place[]>, dead: number): Promise<Figures> {
  db.exec(`CREATE TABLE documents (row INTEGER PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL);
    CREATE TABLE keys (id TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID`);
  const insert = db.prepare('INSERT INTO documents VALUES (?, ?, ?)');
  const insertKey = db.prepare('INSERT INTO keys VALUES (?, ?)');
  const isDead: boolean[] = [false];
  const living: string[] = [];
  const ingestMs = await inBatches(db, batches, ({ id, partition, body }) => {
    const row = isDead.push(partition < dead) - 1;
    if (partition >= dead) living.push(id);
    insert.run(row, id, body);
    insertKey.run(id, row);
  });
  const removed = isDead.filter(Boolean).length;
  const get = db.prepare<[string], { body: string }>(
    'SELECT d.body FROM keys AS k CROSS JOIN documents AS d ON d.row = k.row WHERE k.id = ?',
  );
  const lookupUs = await timeLookups(living, id => get.get(id));
  const deleteRows = db.prepare('DELETE FROM documents WHERE row BETWEEN ? AND ?');
  const ms = await timed(() => {
    db.exec('BEGIN IMMEDIATE');
    for (let row = 1; row < isDead.length; row++) {
      if (isDead[row] !== true) continue;
      const first = row;
      while (isDead[row + 1] === true && row - first < RUN) row += 1;
      deleteRows.run(first, row);
    }
    freeKeys(db, 'row', row => isDead[row] === true);
    db.exec('COMMIT');
    db.pragma('wal_checkpoint(TRUNCATE)');
  });
  db.exec('DROP TABLE documents; DROP TABLE keys');
  return {
    sweepPerSecond: perSecond(removed, ms),
    lookupUs,
    ingestPerSecond: perSecond(isDead.length - 1, ingestMs),
  };
}

/** Rows in a table for each partition; one table of keys, which has the partition too. */
async function partitionsWithSharedKeys(
  db: Database,
  batches: Iterable<Place[]>,
  count: number,
  dead: number,
): Promise<Figures> {
  db.exec(
    'CREATE TABLE keys (id TEXT PRIMARY KEY, partition INTEGER NOT NULL, row INTEGER NOT NULL) WITHOUT ROWID',
  );
  const tables = Array.from({ length: count }, (_, n) => {
    db.exec(`CREATE TABLE documents_${n} (row INTEGER PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL)`);
    return {
      insert: db.prepare(`INSERT INTO documents_${n} VALUES (NULL, ?, ?)`),
      get: db.prepare<[number], { body: string }>(`SELECT body FROM documents_${n} WHERE row = ?`),
    };
  });
  const insertKey = db.prepare('INSERT INTO keys VALUES (?, ?, ?)');
  const living: string[] = [];
  let removed = 0;
  await inBatches(db, batches, ({ id, partition, body }) => {
    if (partition >= dead) living.push(id);
    else removed += 1;
    const row = Number(tables[partition]?.insert.run(id, body).lastInsertRowid);
    insertKey.run(id, partition, row);
  });
  const find = db.prepare<[string], [number, number]>('SELECT partition, row FROM keys WHERE id = ?').raw();
  const sharedLookupUs = await timeLookups(living, id => {
    const [partition = 0, row = 0] = find.get(id) ?? [];
    return tables[partition]?.get.get(row);
  });
  const dropMs = await timed(() => {
    db.exec('BEGIN IMMEDIATE');
    for (let n = 0; n < dead; n++) db.exec(`DROP TABLE documents_${n}`);
    db.exec('COMMIT');
  });
  const keysMs = await timed(() => {
    db.exec('BEGIN IMMEDIATE');
    freeKeys(db, 'partition', partition => partition < dead);
    db.exec('COMMIT');
    db.pragma('wal_checkpoint(TRUNCATE)');
  });
  for (let n = dead; n < count; n++) db.exec(`DROP TABLE documents_${n}`);
  db.exec('DROP TABLE keys');
  return {
    dropRowsPerSecond: perSecond(removed, dropMs),
    sharedKeysPerSecond: perSecond(removed, dropMs + keysMs),
    sharedLookupUs,
  };
}

/** Rows and keys in tables of each partition; a lookup asks the Bloom filter of each partition, in memory. */
async function partitionsWithOwnKeys(
  db: Database,
  batches: Iterable<Place[]>,
  count: number,
  dead: number,
): Promise<Figures> {
  const tables = Array.from({ length: count }, (_, n) => {
    db.exec(`CREATE TABLE documents_${n} (row INTEGER PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL);
      CREATE TABLE keys_${n} (id TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID`);
    return {
      filter: new BloomFilter(IN_PARTITION * 1.2),
      insert: db.prepare(`INSERT INTO documents_${n} VALUES (NULL, ?, ?)`),
      insertKey: db.prepare(`INSERT INTO keys_${n} VALUES (?, ?)`),
      get: db.prepare<[string], { body: string }>(
        `SELECT d.body FROM keys_${n} AS k CROSS JOIN documents_${n} AS d ON d.row = k.row WHERE k.id = ?`,
      ),
    };
  });
  const living: string[] = [];
  let removed = 0;
  const ingestMs = await inBatches(db, batches, ({ id, partition, body }) => {
    const table = tables[partition];
    if (table === undefined) return;
    if (partition >= dead) living.push(id);
    else removed += 1;
    const hashes = hashesOf(id);
    // A write looks for another document with its `_id` first.
    for (const { filter, get } of tables) if (filter.mayHave(hashes)) get.get(id);
    table.filter.add(hashes);
    table.insertKey.run(id, Number(table.insert.run(id, body).lastInsertRowid));
  });
  const ownLookupUs = await timeLookups(living, id => {
    const hashes = hashesOf(id);
    for (const { filter, get } of tables) {
      const found = filter.mayHave(hashes) ? get.get(id) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  });
  const ms = await timed(() => {
    db.exec('BEGIN IMMEDIATE');
    for (let n = 0; n < dead; n++) db.exec(`DROP TABLE documents_${n}; DROP TABLE keys_${n}`);
    db.exec('COMMIT');
    db.pragma('wal_checkpoint(TRUNCATE)');
  });
  return {
    ownKeysPerSecond: perSecond(removed, ms),
    ownLookupUs,
    ownIngestPerSecond: perSecond(removed + living.length, ingestMs),
  };
}

/** Deletes keys by a scan of all keys, those next to each other at once. */
function freeKeys(db: Database, column: string, isDead: (value: number) => boolean): void {
  const read = db
    .prepare<[string, number], [string, number]>(
      `SELECT id, ${column} FROM keys WHERE id > ? ORDER BY id LIMIT ?`,
    )
    .raw();
  const remove = db.prepare('DELETE FROM keys WHERE id BETWEEN ? AND ?');
  let after = '';
  for (;;) {
    const keys = read.all(after, KEYS_PER_READ);
    let first: string | null = null;
    let last = '';
    for (const [id, value] of keys) {
      if (isDead(value)) {
        first ??= id;
        last = id;
      } else if (first !== null) {
        remove.run(first, last);
        first = null;
      }
    }
    if (first !== null) remove.run(first, last);
    after = keys.at(-1)?.[0] ?? after;
    if (keys.length < KEYS_PER_READ) return;
  }
}

/** Inserts all in transactions of one batch, and copies the log into the file. Returns the time, ms. */
async function inBatches(
  db: Database,
  batches: Iterable<Place[]>,
  insert: (place: Place) => void,
): Promise<number> {
  let ms = 0;
  for (const batch of batches)
    ms += await timed(() => {
      db.exec('BEGIN IMMEDIATE');
      for (const place of batch) insert(place);
      db.exec('COMMIT');
    });
  db.pragma('wal_checkpoint(TRUNCATE)');
  return ms;
}

/** Returns the mean time of a lookup, µs; each id is one of those that stay, spread over all of them. */
async function timeLookups(ids: readonly string[], get: (id: string) => unknown): Promise<number> {
  const step = Math.max(1, Math.floor((ids.length * 0.618) % ids.length));
  let place = 0;
  const next = () => {
    place = (place + step) % ids.length;
    return ids[place] ?? '';
  };
  for (let i = 0; i < LOOKUPS; i++) if (get(next()) === undefined) throw new Error('a document is missing');
  const ms = await timed(() => {
    for (let i = 0; i < LOOKUPS; i++) get(next());
  });
  return (ms / LOOKUPS) * 1_000;
}

/** Two hashes of a text, FNV-1a with two seeds. */
function hashesOf(text: string): readonly [number, number] {
  let first = 0x811c9dc5;
  let second = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x85ebca6b);
  }
  return [first >>> 0, second >>> 0];
}

/** A set of keys that may say yes to about one key in a hundred that it lacks. */
class BloomFilter {
  readonly #bits: Uint32Array;

  constructor(keys: number) {
    this.#bits = new Uint32Array(Math.ceil((keys * BITS_PER_KEY) / 32));
  }

  add(hashes: readonly [number, number]): void {
    for (let n = 0; n < HASHES; n++) {
      const bit = this.#bit(hashes, n);
      this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }

  mayHave(hashes: readonly [number, number]): boolean {
    for (let n = 0; n < HASHES; n++) {
      const bit = this.#bit(hashes, n);
      if (((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }

  #bit([first, second]: readonly [number, number], n: number): number {
    return ((first + n * second) >>> 0) % (this.#bits.length * 32);
  }
}
