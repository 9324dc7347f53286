import type { DocumentRecord } from '../../../../shared/contract/documents.ts';

/**
 * Returns the remaining share of a document's life at `now`, 0 to 1. A life is the `expireAfter` seconds before the
 * deadline if the index defines them; otherwise it begins at the last write.
 */
export function remainingLife(row: DocumentRecord, expireAfter: number | undefined, now: number): number {
  const { deadlineAt, updatedAt } = row;
  if (deadlineAt === null) return 1;
  const life = expireAfter !== undefined && expireAfter > 0 ? expireAfter * 1000 : deadlineAt - updatedAt;
  if (life <= 0) return 0;
  return Math.min(1, Math.max(0, (deadlineAt - now) / life));
}
