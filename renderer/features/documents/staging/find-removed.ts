import type { DocumentRecord } from '../../../../shared/contract/documents.ts';

/** Asked about at once; with more, the next round asks about the next ones. */
export const MOST_ASKED = 500;

/**
 * Whose deadline has passed, so that they may be gone: the next `MOST_ASKED` of them behind `start`, around the end.
 * Past its deadline a document can still be there, waiting for a pause to end or for a schedule.
 */
export function maybeGone(rows: Iterable<DocumentRecord>, now: number, start: number): string[] {
  const due = new Set<string>();
  for (const { _id, deadlineAt } of rows) if (deadlineAt !== null && deadlineAt <= now) due.add(_id);
  return someOf([...due], start, MOST_ASKED);
}

function someOf(ids: readonly string[], start: number, most: number): string[] {
  const first = ids.length === 0 ? 0 : start % ids.length;
  return [...ids.slice(first), ...ids.slice(0, first)].slice(0, most);
}

/** Of those whose deadline has not passed fewer are asked about at once: mostly they are there. */
const OTHERS_ASKED = 100;

/**
 * Rows are known as they were when they were chosen. An index that changed, or somebody else, may have taken any of them
 * meanwhile: so after news of their collection each is asked about once, `most` at a time.
 */
export class NewsRound {
  readonly #most: number;
  #news: unknown;
  #start = 0;
  #left = 0;

  constructor(most = OTHERS_ASKED) {
    this.#most = most;
  }

  /** The next ones; `news` is another value whenever there were any. */
  next(ids: readonly string[], news: unknown): string[] {
    if (news !== this.#news) this.#left = ids.length;
    this.#news = news;
    const some = someOf(ids, this.#start, Math.min(this.#most, this.#left));
    this.#start += some.length;
    this.#left -= some.length;
    return some;
  }
}

/** Those of `ids` the engine no longer has. What it does not answer about counts as being there. */
export async function findGone(
  ids: readonly string[],
  isThere: (id: string) => Promise<boolean>,
): Promise<string[]> {
  const answers = await Promise.all(
    ids.map(id =>
      isThere(id).then(
        there => (there ? null : id),
        () => null,
      ),
    ),
  );
  return answers.filter(id => id !== null);
}

/** `12 of them left meanwhile`; for nothing, nothing. */
export function goneInWords(count: number): string {
  return count === 0 ? '' : `${new Intl.NumberFormat('en-US').format(count)} of them left meanwhile`;
}
