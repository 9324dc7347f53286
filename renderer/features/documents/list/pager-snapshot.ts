import type { DocumentRecord } from '../../../../shared/contract/documents.ts';

export const PAGE_ROWS = 200;

/** PAGE_ROWS rows in consecutive slots; fewer only at the end. */
export interface Page {
  rows: readonly DocumentRecord[];
  /** Which refresh it was read in; an older one is read again when looked at. */
  generation: number;
}

export interface PagerSnapshot {
  rowAt(slot: number): DocumentRecord | undefined;
  /** Where a row in memory stands. */
  slotOf(id: string): number | undefined;
  /** Rows in memory, in order. */
  loaded(): DocumentRecord[];
  slots: number;
  /** Whether `slots` is known, not guessed. */
  isCounted: boolean;
  status: 'reading' | 'ready' | 'stopped' | 'failed';
  error: unknown;
  /** Rows read on the way to a far place that is not reached yet. */
  passed: number | null;
}

/** The rows of some pages, to be found by slot and by `_id`. */
export function rowsOf(pages: ReadonlyMap<number, Page>): Pick<PagerSnapshot, 'rowAt' | 'slotOf' | 'loaded'> {
  return {
    rowAt: slot => pages.get(Math.floor(slot / PAGE_ROWS))?.rows[slot % PAGE_ROWS],
    slotOf: slotFinder(pages),
    loaded: () => [...pages].sort(([a], [b]) => a - b).flatMap(([, page]) => page.rows),
  };
}

/** Made when first asked: most snapshots are only looked at by slot. */
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
