import Sqlite from 'better-sqlite3';
import { EACH_REMOVAL } from './each-removal.ts';

interface Rows {
  documents: number;
  bytes: number;
}

const LEVELS = [1_000, 60_000, 3_600_000, 86_400_000];

/**
 * Recomputes every stored count of a closed store from its rows, by plain SQL without the engine's code. Returns the
 * differences: none in a correct, swept store.
 */
export function disagreements(file: string): string[] {
  const db = new Sqlite(file, { readonly: true });
  const found: string[] = [];
  const expectEqual = (what: string, stored: unknown, counted: unknown) => {
    if (JSON.stringify(stored) !== JSON.stringify(counted))
      found.push(`${what}: stored ${JSON.stringify(stored)}, counted ${JSON.stringify(counted)}`);
  };
  const count = (sql: string) => db.prepare<[], number>(sql).pluck().get() ?? 0;

  expectEqual('integrity', db.pragma('integrity_check', { simple: true }), 'ok');
  expectEqual(
    'tombstones',
    count(
      `SELECT count(*) FROM ${EACH_REMOVAL} WHERE gone = 1 AND seq > (SELECT value FROM meta WHERE key = 'swept')`,
    ),
    0,
  );
  expectEqual(
    'rows of removals that have not as many as they say, or the numbers of the next row',
    count(
      `SELECT count(*) FROM (SELECT *, lead(seq) OVER (ORDER BY seq) AS next FROM removals)
       WHERE next < seq + documents OR (packed IS NULL) <> (documents = 1)
          OR (packed IS NOT NULL AND (json_array_length(packed, '$[0]') <> documents
                OR json_array_length(packed, '$[1]') <> documents OR json_array_length(packed, '$[2]') <> documents))`,
    ),
    0,
  );
  expectEqual(
    'rows of copies that are not those of their row of removals, or not as long as they say',
    count(
      `SELECT count(*) FROM retained AS k JOIN removals AS r USING (seq)
       WHERE (k.lengths IS NULL) <> (r.documents = 1)
          OR (k.lengths IS NOT NULL AND (json_array_length(k.lengths) <> r.documents
                OR (SELECT sum(value) FROM json_each(k.lengths)) <> octet_length(k.body)))`,
    ),
    0,
  );
  for (const table of ['expired_intervals', 'late_entries', 'unlisted_retention'])
    expectEqual(`rows of ${table}`, count(`SELECT count(*) FROM ${table}`), 0);
  const oldest = count(`SELECT value FROM meta WHERE key = 'oldest'`);
  const revision = count(`SELECT value FROM meta WHERE key = 'revision'`);
  expectEqual(
    'revisions of the change log, from the oldest kept one on',
    count(`SELECT count(*) FROM log WHERE revision >= ${oldest} AND revision <= ${revision}`),
    Math.max(0, revision + 1 - Math.max(1, oldest)),
  );
  expectEqual(
    'bytes of restorable copies',
    count(`SELECT value FROM meta WHERE key = 'retainedBytes'`),
    count('SELECT coalesce(sum(length(CAST(body AS BLOB))), 0) FROM retained'),
  );
  expectEqual(
    'copies of nothing that expired',
    count('SELECT count(*) FROM retained AS k LEFT JOIN removals AS r ON r.seq = k.seq WHERE r.seq IS NULL'),
    0,
  );
  expectEqual(
    'copies of what its removal says is not kept',
    count('SELECT count(*) FROM retained AS k JOIN removals AS r ON r.seq = k.seq WHERE r.keep_until_at = 0'),
    0,
  );
  expectEqual(
    'minutes in which copies end',
    count(
      'SELECT count(*) FROM retained AS k JOIN removals AS r ON r.seq = k.seq WHERE k.keep_until_minute <> (r.keep_until_at + 59999) / 60000',
    ),
    0,
  );
  expectEqual(
    'removals that say restorable and have neither a copy nor a dead row',
    count(`SELECT count(*) FROM removals AS r LEFT JOIN retained AS k ON k.seq = r.seq WHERE r.keep_until_at > 0 AND k.seq IS NULL
           AND (r.gone = 0 OR r.seq <= (SELECT value FROM meta WHERE key = 'swept'))`),
    0,
  );
  const collections = db
    .prepare<[], { id: number; name: string; explicit: number } & Rows>('SELECT * FROM collections')
    .all();
  for (const { id, name, explicit, documents, bytes } of collections) {
    expectEqual(
      `${name}: documents`,
      { documents, bytes },
      db
        .prepare<[], Rows>(
          `SELECT count(*) AS documents, coalesce(sum(length(CAST(body AS BLOB))), 0) AS bytes FROM documents_${id}`,
        )
        .get(),
    );
    expectEqual(
      `${name}: keys without a document, or the reverse`,
      count(
        `SELECT count(*) FROM keys_${id} AS k FULL JOIN documents_${id} AS d ON d.row = k.row AND d.id = k.id WHERE k.row IS NULL OR d.row IS NULL`,
      ),
      0,
    );
    expectEqual(
      `${name}: rows that share an _id`,
      db.prepare<[], string>(`SELECT id FROM documents_${id} GROUP BY id HAVING count(*) > 1`).pluck().all(),
      [],
    );
    expectEqual(
      `${name}: documents left by another document's action`,
      count(
        `SELECT count(*) FROM documents_${id} AS d JOIN removals AS r ON r.seq = d.left_by
         WHERE r.id <> d.id OR r.action = 0 OR coalesce(r.moved_to, r.collection) <> ${id}
            OR (r.moved_to IS NULL AND r.row <> d.row)`,
      ),
      0,
    );
    expectEqual(
      `${name}: quarantined rows of no document`,
      count(
        `SELECT count(*) FROM quarantine AS q LEFT JOIN documents_${id} AS d ON d.row = q.row
         WHERE q.collection = ${id} AND d.row IS NULL`,
      ),
      0,
    );
    const sides = db
      .prepare<[number], { side: number; governedTable: number | null; name: string }>(
        'SELECT side, governed_side AS governedTable, name FROM ttl_indexes WHERE collection = ? AND dropped_at IS NULL AND built_through_row IS NULL',
      )
      .all(id);
    const byHand = count(`SELECT count(*) FROM documents_${id} WHERE explicit_at IS NOT NULL`);
    expectEqual(`${name}: set by hand`, count(`SELECT count(*) FROM entries_${explicit}`), byHand);
    for (const { side, name: index } of sides)
      expectEqual(
        `${name}: entries of ${index}`,
        count(`SELECT count(*) FROM entries_${side}`),
        documents - byHand,
      );
    const tables = [
      explicit,
      ...sides.map(({ side }) => side),
      ...sides.flatMap(({ governedTable }) => governedTable ?? []),
    ];
    for (const table of tables) {
      expectEqual(
        `${name}: entries of no document in ${table}`,
        count(
          `SELECT count(*) FROM entries_${table} AS e LEFT JOIN documents_${id} AS d ON d.row = e.row
         WHERE d.row IS NULL OR e.bytes <> length(CAST(d.body AS BLOB))`,
        ),
        0,
      );
      for (const [level, width] of LEVELS.entries()) {
        expectEqual(
          `${name}: counts of ${table} at level ${level}`,
          db
            .prepare(`SELECT bucket, documents, bytes FROM counts_${table} WHERE level = ? ORDER BY bucket`)
            .all(level),
          db
            .prepare(
              `SELECT reference / ? AS bucket, count(*) AS documents, sum(bytes) AS bytes FROM entries_${table}
               WHERE reference >= 0 GROUP BY 1 ORDER BY 1`,
            )
            .all(BigInt(width)),
        );
      }
    }
  }
  db.close();
  return found;
}
