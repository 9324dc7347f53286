import { t } from '@lingui/core/macro';
import { problemOf } from '../../../api.ts';
import { showToast } from '../../../components/overlays/toast-store.ts';

import { createStore, useStore } from '../../../state/store.ts';
import { formatRows, type HistoryRows } from '../history/format-rows.ts';
import type { HistorySource } from '../history/history-pager.ts';

export interface RunningExport {
  what: HistoryRows;
  rows: number;
  cancel: () => void;
}

const PAGE_ROWS = 1_000;

const running = createStore<RunningExport | null>(null);

export function useRunningExport(): RunningExport | null {
  return useStore(running);
}

/**
 * Yields every row that the list would show, one per line, newest first. Holds one page in memory.
 * @internal
 */
export async function* ndjsonPages<Row>(
  source: HistorySource<Row>,
  signal: AbortSignal,
): AsyncGenerator<{ text: string; rows: number }> {
  let before: string | null = null;
  do {
    const page = await source.read(before, PAGE_ROWS);
    if (signal.aborted) return;
    const shown = page.rows.filter(source.shows);
    yield { text: shown.map(row => `${JSON.stringify(row)}\n`).join(''), rows: shown.length };
    const last = page.rows.at(-1);
    before = last !== undefined && source.isBefore(last) ? null : page.next;
  } while (before !== null);
}

/** Reads a history to its end and downloads it. One export at a time. */
export async function exportHistory<Row>(
  source: HistorySource<Row>,
  what: HistoryRows,
  fileName: string,
): Promise<void> {
  if (running.get() !== null) return;
  const stopping = new AbortController();
  const cancel = () => {
    stopping.abort();
    running.set(null);
  };
  // One blob per page: the browser may keep blobs on disk.
  const parts: Blob[] = [];
  let rows = 0;
  running.set({ what, rows, cancel });
  try {
    for await (const page of ndjsonPages(source, stopping.signal)) {
      parts.push(new Blob([page.text]));
      rows += page.rows;
      running.set({ what, rows, cancel });
    }
    if (stopping.signal.aborted) return;
    download(new Blob(parts, { type: 'application/x-ndjson' }), fileName);
    showToast({ kind: 'good', title: t`${formatRows(rows, what)} exported`, detail: fileName });
  } catch (error) {
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title: t`Export failed`, detail: message, code });
  } finally {
    if (!stopping.signal.aborted) running.set(null);
  }
}

function download(blob: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  // The blob is kept by the download after its URL is revoked.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
