import type { Database, Statement } from 'better-sqlite3';
import type { Look } from '../../../expiry/schedule/ticks.ts';

interface LookRow {
  source: number;
  since: number;
  at: number;
  state: Look['state'];
}

/** The `looks` table: the last look of each TTL index, by `ttl_indexes.id` [R1]. Written inside transactions of the caller. */
export class LookTable {
  readonly #list: Statement<[], LookRow>;
  readonly #begin: Statement<[{ source: number; at: number }]>;
  readonly #write: Statement<[LookRow]>;
  readonly #drop: Statement<[number]>;

  constructor(db: Database) {
    this.#list = db.prepare('SELECT * FROM looks');
    this.#begin = db.prepare(`INSERT OR REPLACE INTO looks VALUES (@source, @at, @at, 'closed')`);
    // The transaction may have given it another schedule, which counts from there.
    this.#write = db.prepare(
      'UPDATE looks SET at = @at, state = @state WHERE source = @source AND since = @since',
    );
    this.#drop = db.prepare('DELETE FROM looks WHERE source = ?');
  }

  all(): Map<number, Look> {
    return new Map(this.#list.all().map(row => [row.source, toLook(row)]));
  }

  /** The index has its schedule since `at`, epoch ms. */
  begin(source: number, at: number): void {
    this.#begin.run({ source, at });
  }

  write(source: number, look: Look): void {
    this.#write.run({ source, ...look });
  }

  drop(source: number): void {
    this.#drop.run(source);
  }
}

/** Of an index with a schedule since `since` (epoch ms) that has not looked yet. */
export function neverLooked(since: number): Look {
  return { since, at: since, state: 'closed' };
}

/** The last look of one index. Call inside a read transaction. */
export function readLook(db: Database, { id, effective }: { id: number; effective: number }): Look {
  const row = db.prepare<[number], LookRow>('SELECT * FROM looks WHERE source = ?').get(id);
  return row === undefined ? neverLooked(effective) : toLook(row);
}

function toLook({ since, at, state }: LookRow): Look {
  return { since, at, state };
}
