import type { Clock } from '../platform/clock.ts';

/** Documents per transaction: the writer is not held for long [R5]. */
const DOCUMENTS_A_TRANSACTION = 500;
const TRANSACTION_MS = 20;

export interface PartsOptions {
  clock: Clock;
  yieldToCalls(): Promise<void>;
}

/**
 * Changes many documents in several transactions, between which other calls run. `change` receives a part of `items`,
 * processes items until `isOver`, at least one, and returns how many.
 */
export async function changeInParts<Item>(
  { clock, yieldToCalls }: PartsOptions,
  items: readonly Item[],
  change: (part: readonly Item[], isOver: () => boolean) => number | Promise<number>,
): Promise<void> {
  for (let i = 0; i < items.length; ) {
    const startedAt = clock.elapsed();
    const isOver = () => clock.elapsed() - startedAt >= TRANSACTION_MS;
    const changed = change(items.slice(i, i + DOCUMENTS_A_TRANSACTION), isOver);
    // A local store answers synchronously, so no other call runs in between.
    i += typeof changed === 'number' ? changed : await changed;
    if (i < items.length) await yieldToCalls();
  }
}
