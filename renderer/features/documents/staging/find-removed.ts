import { t } from '@lingui/core/macro';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { formatCount } from '../../../i18n/format.ts';

/** Most documents checked at once; the next round checks the following ones. */
export const MOST_CHECKED = 500;

/**
 * Returns documents whose deadline has passed, so that they may be removed: the next `MOST_CHECKED` after `start`,
 * cyclically. A document past its deadline may still wait for a schedule or for the end of a pause.
 */
export function mayBeRemoved(rows: Iterable<DocumentRecord>, now: number, start: number): string[] {
  const due = new Set<string>();
  for (const { _id, deadlineAt } of rows) if (deadlineAt !== null && deadlineAt <= now) due.add(_id);
  return someOf([...due], start, MOST_CHECKED);
}

function someOf(ids: readonly string[], start: number, most: number): string[] {
  const first = ids.length === 0 ? 0 : start % ids.length;
  return [...ids.slice(first), ...ids.slice(0, first)].slice(0, most);
}

/** Most other documents checked at once; few of these are removed. */
const MOST_OTHERS_CHECKED = 100;

/**
 * Chooses documents to check after a change of their collection: a changed index or another client may have removed
 * any of them. Each is checked once per change, `most` at a time.
 */
export class CheckRound {
  readonly #most: number;
  #change: unknown;
  #start = 0;
  #left = 0;

  constructor(most = MOST_OTHERS_CHECKED) {
    this.#most = most;
  }

  /** Returns the next documents to check; `change` is a new value after each change. */
  next(ids: readonly string[], change: unknown): string[] {
    if (change !== this.#change) this.#left = ids.length;
    this.#change = change;
    const some = someOf(ids, this.#start, Math.min(this.#most, this.#left));
    this.#start += some.length;
    this.#left -= some.length;
    return some;
  }
}

/** Returns `12 of them expired or were deleted`; empty for 0. */
export function formatRemoved(count: number): string {
  return count === 0 ? '' : t`${formatCount(count)} of them expired or were deleted`;
}
