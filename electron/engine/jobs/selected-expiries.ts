import type { Awaitable, ExpiredPage, ExpiredSpan } from '../backends/backend.ts';

/** Documents per transaction: each may have 16 MiB, and the writer is not held for long [R5]. */
const PART = 50;

/** Finds expiries page by page. */
export interface ExpiryFinder {
  find(span: ExpiredSpan, from: { cursor: number | null; order: 'asc' | 'desc' }): Awaitable<ExpiredPage>;
}

/** The selected expiries in parts, in order of removal. */
export async function* selectedParts(
  { expired, yieldToCalls }: { expired: ExpiryFinder; yieldToCalls(): Promise<void> },
  what: { ids: string[] } | ExpiredSpan,
  order: 'asc' | 'desc',
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  if ('ids' in what) {
    const sign = order === 'asc' ? 1 : -1;
    yield* parts(
      [...new Set(what.ids)].sort((a, b) => sign * (Number(a) - Number(b))),
      signal,
    );
    return;
  }
  let cursor: number | null = null;
  do {
    const page: ExpiredPage = await expired.find(what, { cursor, order });
    yield* parts(page.ids, signal);
    cursor = page.cursor;
    await yieldToCalls();
  } while (cursor !== null && !signal.aborted);
}

function* parts(ids: readonly string[], signal: AbortSignal): Generator<string[]> {
  for (let i = 0; i < ids.length && !signal.aborted; i += PART) yield ids.slice(i, i + PART);
}
