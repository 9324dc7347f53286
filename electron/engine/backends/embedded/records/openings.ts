import type { Openings } from '../../backend.ts';
import type { Database, Statement } from '../file/database.ts';
import type { Writer } from '../write/writer.ts';

interface LastOpening {
  at: number;
  clockOffsetMs: number;
}

/** When the store was open, as `meta` remembers it. Written without waiting for the disk: a minute lost is no harm. */
export class EmbeddedOpenings implements Openings {
  readonly last: LastOpening | null;
  readonly #writer: Writer;
  readonly #set: Statement<[number, string]>;

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#set = writer.db.prepare('UPDATE meta SET value = ? WHERE key = ?');
    const at = read(writer.db, 'lastOpenAt');
    this.last = at === null ? null : { at, clockOffsetMs: read(writer.db, 'clockOffset') ?? 0 };
  }

  note(clockOffsetMs: number): void {
    const at = this.#writer.clock.now();
    this.#writer.maintain(() => {
      this.#set.run(at, 'lastOpenAt');
      this.#set.run(clockOffsetMs, 'clockOffset');
    });
  }
}

function read(db: Database, key: string): number | null {
  return db.prepare<[string], number | null>('SELECT value FROM meta WHERE key = ?').pluck().get(key) ?? null;
}
