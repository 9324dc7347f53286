import type { DocumentRecord } from '../../../../shared/contract/documents.ts';

/** Chosen documents by `_id`, each as it was when chosen: its row may have left the memory since. */
export type Chosen = ReadonlyMap<string, DocumentRecord>;

export const NONE_CHOSEN: Chosen = new Map();

export function toggled(chosen: Chosen, row: DocumentRecord): Chosen {
  const next = new Map(chosen);
  if (!next.delete(row._id)) next.set(row._id, row);
  return next;
}

export function withAll(chosen: Chosen, rows: Iterable<DocumentRecord>): Chosen {
  const next = new Map(chosen);
  for (const row of rows) next.set(row._id, row);
  return next;
}

export function without(chosen: Chosen, ids: Iterable<string>): Chosen {
  const next = new Map(chosen);
  for (const id of ids) next.delete(id);
  return next.size === chosen.size ? chosen : next;
}

export function only(rows: Iterable<DocumentRecord>): Chosen {
  return withAll(NONE_CHOSEN, rows);
}

/** The rows from one slot to another, whichever comes first, as far as they are in memory. */
export function between(
  from: number,
  to: number,
  rowAt: (slot: number) => DocumentRecord | undefined,
): DocumentRecord[] {
  const rows: DocumentRecord[] = [];
  for (let slot = Math.min(from, to); slot <= Math.max(from, to); slot++) {
    const row = rowAt(slot);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}
