import { formatCount } from '../../../../../../shared/model/format.ts';
import { sqlStateOf } from '../../connection/postgres-failure.ts';
import type { Statement } from './statement.ts';

/** Text of each column of the primary key, in key order. */
export type RowKey = readonly string[];

/** SQLSTATEs of a row to which others refer, and from PostgreSQL 18 on, of one with ON DELETE RESTRICT. */
const REFUSED = new Set(['23503', '23001']);

/** A row is tried again after this, ms; each time after twice as long. */
const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 3_600_000;
/** Rows that are known for one source: each statement has their keys. */
const MOST_ROWS = 1_000;

/** A due row that a foreign key protects. */
interface ProtectedRow {
  readonly key: RowKey;
  /** The server's reply to its removal. */
  readonly reply: string;
  readonly retryMs: number;
  /** `Clock.elapsed`. */
  readonly retryAt: number;
}

/** Returns whether a foreign key refuses the removal, or the archive of a moved row. */
export function isRefusedByForeignKey(error: unknown): error is Error {
  return error instanceof Error && REFUSED.has(sqlStateOf(error) ?? '');
}

/**
 * The due rows of one source whose removal a foreign key refuses. They are left out of batches, so that the others of their
 * table are removed, and tried again later.
 */
export class ProtectedRows {
  readonly #elapsed: () => number;
  readonly #rows = new Map<string, ProtectedRow>();

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Those that are not tried now. */
  get skipped(): RowKey[] {
    const now = this.#elapsed();
    return [...this.#rows.values()].filter(({ retryAt }) => retryAt > now).map(({ key }) => key);
  }

  /** Rows that were refused when they were last tried, and the reply for the last of them. */
  get found(): { readonly rows: number; readonly reply: string } | null {
    const last = [...this.#rows.values()].at(-1);
    return last === undefined ? null : { rows: this.#rows.size, reply: last.reply };
  }

  /** Adds a row. Throws if there are too many of them. */
  add(key: RowKey, error: Error): void {
    const name = JSON.stringify(key);
    const known = this.#rows.get(name);
    if (known === undefined && this.#rows.size >= MOST_ROWS)
      throw new Error(`More than ${formatCount(MOST_ROWS)} due rows cannot be removed. ${error.message}`);
    const retryMs = known === undefined ? FIRST_RETRY_MS : Math.min(known.retryMs * 2, LONGEST_RETRY_MS);
    this.#rows.delete(name);
    this.#rows.set(name, { key, reply: error.message, retryMs, retryAt: this.#elapsed() + retryMs });
  }

  /** All of them are tried again by the next batches. */
  retryNow(): void {
    for (const [name, row] of this.#rows) this.#rows.set(name, { ...row, retryAt: 0 });
  }

  /** Removes those that a lap could try again and that were not refused. `began`: its beginning, `Clock.elapsed`. */
  lapEnded(began: number): void {
    for (const [name, { retryAt }] of this.#rows) if (retryAt <= began) this.#rows.delete(name);
  }
}

/** Removes one row, and remembers it if a foreign key refuses that. */
export async function removeKnown<Outcome>(
  protectedRows: ProtectedRows,
  key: RowKey,
  remove: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await remove();
  } catch (error) {
    if (isRefusedByForeignKey(error)) protectedRows.add(key, error);
    throw error;
  }
}

/** Returns the condition that a row key, of type text[], is none of these; nothing for none. */
export function skippedSql(rowKey: string, skipped: readonly RowKey[], statement: Statement): string[] {
  if (skipped.length === 0) return [];
  const keys = statement.param(JSON.stringify(skipped), 'jsonb');
  return [`to_jsonb(${rowKey}) NOT IN (SELECT jsonb_array_elements(${keys}))`];
}
