import { SECOND } from './count-levels.ts';

/** A second with at most so many documents is counted part by part; in others, so many of each part are read first. */
const FEW = 16_384;
/** So many times more are read of each part in the next round, up to this share of the second. */
const GROWTH = 4;
const SHARE = 1 / 32;

/** Counts entries of an index table with a reference time in [from, to), of which `all` count only up to `most`. */
export interface EntryScans {
  all(from: number, to: number): number;
  upTo(from: number, to: number, most: number): number;
}

interface Part {
  readonly from: number;
  readonly to: number;
  documents: number | null;
}

/**
 * Returns the documents of a second before each of the instants in it, ascending integers; `all` is the number in the
 * whole second. The largest of the parts is not read: it is what the others leave of `all`. Many documents may have one
 * instant, so a few are read of each part first: with a million of one instant in a part, only the others are read. If
 * that does not tell which is the largest, the longest is taken for it.
 */
export function documentsBeforeEach(
  second: number,
  instants: readonly number[],
  all: number,
  scans: EntryScans,
): number[] {
  if (all === 0) return instants.map(() => 0);
  const parts = partsOf(second, instants);
  const shortestFirst = parts.toSorted((a, b) => a.to - a.from - (b.to - b.from));
  const unread = all <= FEW ? shortestFirst : largeParts(shortestFirst, all, scans);
  for (const part of unread.slice(0, -1)) part.documents = scans.all(part.from, part.to);
  const read = parts.reduce((sum, { documents }) => sum + (documents ?? 0), 0);
  let before = 0;
  return parts.slice(0, -1).map(({ documents }) => {
    before += documents ?? all - read;
    return before;
  });
}

/** Counts the parts that have few of `all` documents. Returns the others in their order, at least one. */
function largeParts(parts: readonly Part[], all: number, scans: EntryScans): readonly Part[] {
  let unread = parts;
  for (let most = FEW; unread.length > 1 && (most === FEW || most <= all * SHARE); most *= GROWTH) {
    let left = unread.length;
    for (const part of unread) {
      if (left === 1) break;
      const documents = scans.upTo(part.from, part.to, most);
      if (documents === most) continue;
      part.documents = documents;
      left -= 1;
    }
    unread = unread.filter(({ documents }) => documents === null);
  }
  return unread;
}

function partsOf(second: number, instants: readonly number[]): Part[] {
  const edges = [second, ...instants, second + SECOND];
  return edges.slice(1).map((to, i) => ({ from: edges[i] ?? second, to, documents: null }));
}
