import type { IndexTableReader } from './index-table-reader.ts';

export interface DeadlineFigures {
  documents: number;
  overdue: number;
  /** Earliest deadline, passed or not. */
  firstAt: number | null;
  /** Earliest deadline after now. */
  nextAt: number | null;
}

/**
 * Returns the figures of an index table at `now`, epoch ms; `addMs` is the TTL that is added to its reference times.
 */
export function deadlineFigures(entries: IndexTableReader, addMs: number, now: number): DeadlineFigures {
  const first = entries.first();
  const firstAt = first === null ? null : first + addMs;
  // Due means now >= deadline [D10].
  const overdue = firstAt !== null && firstAt <= now ? entries.documentsBefore(now - addMs + 1) : 0;
  const next = overdue === 0 ? first : entries.first(now - addMs + 1);
  return {
    documents: entries.total().documents,
    overdue,
    firstAt,
    nextAt: next === null ? null : next + addMs,
  };
}

export function earliest(instants: readonly (number | null)[]): number | null {
  return instants.reduce((least, at) => (at !== null && (least === null || at < least) ? at : least), null);
}
