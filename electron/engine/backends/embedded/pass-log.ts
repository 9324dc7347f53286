import type { PassRecord } from '../../expiry/port.ts';
import type { Database, Statement } from './database.ts';
import { DAY } from './levels.ts';

/** The history of passes [R7], kept for 90 days. */
export class PassLog {
  #next: number;
  readonly #write: Statement<
    [
      number,
      number,
      number,
      number,
      number,
      string,
      number,
      string,
      number,
      number,
      string,
      string | null,
      number,
      number,
    ]
  >;
  readonly #prune: Statement<[number]>;

  constructor(db: Database) {
    this.#next = (db.prepare<[], number | null>('SELECT max(id) FROM passes').pluck().get() ?? 0) + 1;
    this.#write = db.prepare(
      'INSERT OR REPLACE INTO passes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#prune = db.prepare('DELETE FROM passes WHERE ended_at < ?');
  }

  nextId(): number {
    return this.#next++;
  }

  write(pass: PassRecord, collection: number): void {
    this.#write.run(
      pass.id,
      collection,
      pass.startedAt,
      pass.endedAt,
      pass.cutoff,
      pass.trigger,
      pass.removed,
      JSON.stringify(Object.fromEntries(pass.bySource)),
      pass.batches,
      pass.longestBatchMs,
      pass.ending,
      pass.error,
      pass.changed,
      pass.quarantined,
    );
  }

  prune(now: number): void {
    this.#prune.run(now - 90 * DAY);
  }
}
