import type { DocumentRecord } from '../../../../shared/contract/documents.ts';

export const PAGE_ROWS = 200;

/** PAGE_ROWS rows in consecutive slots; the last page may have fewer. */
export interface Page {
  rows: readonly DocumentRecord[];
  /** The refresh in which the page was read; a page of an older refresh is read again when in sight. */
  generation: number;
}

export interface PagerSnapshot {
  rowAt(slot: number): DocumentRecord | undefined;
  /** Slot of a row in memory. */
  slotOf(id: string): number | undefined;
  /** Rows in memory, in order. */
  loaded(): DocumentRecord[];
  slots: number;
  /** False while `slots` is an estimate. */
  isCounted: boolean;
  status: 'reading' | 'ready' | 'stopped' | 'failed';
  error: unknown;
  /** Rows read so far on the way to a far slot; null: no jump is in progress. */
  passed: number | null;
}

/** Finds the rows of the pages by slot and by `_id`. */
export function rowsOf(pages: ReadonlyMap<number, Page>): Pick<PagerSnapshot, 'rowAt' | 'slotOf' | 'loaded'> {
  return {
    rowAt: slot => pages.get(Math.floor(slot / PAGE_ROWS))?.rows[slot % PAGE_ROWS],
    slotOf: slotFinder(pages),
    loaded: () => [...pages].sort(([a], [b]) => a - b).flatMap(([, page]) => page.rows),
  };
}

/** Built at the first lookup by `_id`: most snapshots are read by slot only. */
function slotFinder(pages: ReadonlyMap<number, Page>): (id: string) => number | undefined {
  let slots: Map<string, number> | null = null;
  return id => {
    if (slots === null) {
      slots = new Map();
      for (const [page, { rows }] of pages) {
        for (const [i, row] of rows.entries()) slots.set(row._id, page * PAGE_ROWS + i);
      }
    }
    return slots.get(id);
  };
}
