import type { DocumentRecord } from '../../../../shared/contract/documents.ts';

/**
 * How much of its life a document has left at `now`, 0 to 1. A life runs `expireAfter` seconds up to the deadline
 * where the index that gives it says so, else from the last write.
 */
export function lifeLeft(row: DocumentRecord, expireAfter: number | undefined, now: number): number {
  const { deadlineAt, updatedAt } = row;
  if (deadlineAt === null) return 1;
  const life = expireAfter !== undefined && expireAfter > 0 ? expireAfter * 1000 : deadlineAt - updatedAt;
  if (life <= 0) return 0;
  return Math.min(1, Math.max(0, (deadlineAt - now) / life));
}
