import type { Database, Statement } from 'better-sqlite3';
import type { Tick } from '../../../expiry/schedule/ticks.ts';

interface TickRow {
  source: number;
  since: number;
  at: number;
  state: Tick['state'];
}

/**
 * The `schedule_ticks` table: the last tick of each TTL index, by `ttl_indexes.id` [R1]. Written inside transactions of
 * the caller.
 */
export class ScheduleTicksTable {
  readonly #list: Statement<[], TickRow>;
  readonly #begin: Statement<[{ source: number; at: number }]>;
  readonly #write: Statement<[TickRow]>;
  readonly #drop: Statement<[number]>;
  readonly #deleteAll: Statement<[]>;
  readonly #insert: Statement<[TickRow]>;

  constructor(db: Database) {
    this.#list = db.prepare('SELECT * FROM schedule_ticks');
    this.#begin = db.prepare(`INSERT OR REPLACE INTO schedule_ticks VALUES (@source, @at, @at, 'closed')`);
    // No row matches if the same transaction has changed the schedule of the index.
    this.#write = db.prepare(
      'UPDATE schedule_ticks SET at = @at, state = @state WHERE source = @source AND since = @since',
    );
    this.#drop = db.prepare('DELETE FROM schedule_ticks WHERE source = ?');
    this.#deleteAll = db.prepare('DELETE FROM schedule_ticks');
    this.#insert = db.prepare('INSERT OR REPLACE INTO schedule_ticks VALUES (@source, @since, @at, @state)');
  }

  all(): Map<number, Tick> {
    return new Map(this.#list.all().map(row => [row.source, toTick(row)]));
  }

  /** Starts the schedule of an index at `at`, epoch ms. */
  begin(source: number, at: number): void {
    this.#begin.run({ source, at });
  }

  write(source: number, tick: Tick): void {
    this.#write.run({ source, ...tick });
  }

  drop(source: number): void {
    this.#drop.run(source);
  }

  replaceAll(ticks: readonly TickRow[]): void {
    this.#deleteAll.run();
    for (const tick of ticks) this.#insert.run(tick);
  }
}

/** State before the first tick of an index whose schedule applies since `since`, epoch ms. */
export function noTick(since: number): Tick {
  return { since, at: since, state: 'closed' };
}

/** Returns the last tick of one index. Call inside a read transaction. */
export function readTick(db: Database, { id, effectiveAt }: { id: number; effectiveAt: number }): Tick {
  const row = db.prepare<[number], TickRow>('SELECT * FROM schedule_ticks WHERE source = ?').get(id);
  return row === undefined ? noTick(effectiveAt) : toTick(row);
}

function toTick({ since, at, state }: TickRow): Tick {
  return { since, at, state };
}
