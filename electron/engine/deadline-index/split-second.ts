import { SECOND } from './count-levels.ts';

/** A second with at most so many documents is counted part by part. */
const FEW = 8_192;
/** So many times more entries are read of each part in each round. */
const GROWTH = 4;

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
 * whole second. The largest of the parts is not read: it is what the others leave of `all`. Which one that is shows as
 * they are read, since many documents may have one instant: reads about as many entries as the other parts have.
 */
export function documentsBeforeEach(
  second: number,
  instants: readonly number[],
  all: number,
  scans: EntryScans,
): number[] {
  if (all === 0) return instants.map(() => 0);
  const parts = partsOf(second, instants);
  const unread = parts.toSorted((a, b) => a.to - a.from - (b.to - b.from));
  if (all <= FEW) for (const part of unread.slice(0, -1)) part.documents = scans.all(part.from, part.to);
  else readInRounds(unread, scans);
  const read = parts.reduce((sum, { documents }) => sum + (documents ?? 0), 0);
  let before = 0;
  return parts.slice(0, -1).map(({ documents }) => {
    before += documents ?? all - read;
    return before;
  });
}

/** Reads all parts but one, which has at least a quarter of the entries that were read of any other. */
function readInRounds(parts: readonly Part[], scans: EntryScans): void {
  let unread = parts;
  for (let most = FEW; unread.length > 1; most *= GROWTH) {
    for (const part of unread) {
      if (unread.filter(({ documents }) => documents === null).length === 1) break;
      const documents = scans.upTo(part.from, part.to, most);
      if (documents < most) part.documents = documents;
    }
    unread = unread.filter(({ documents }) => documents === null);
  }
}

function partsOf(second: number, instants: readonly number[]): Part[] {
  const edges = [second, ...instants, second + SECOND];
  return edges.slice(1).map((to, i) => ({ from: edges[i] ?? second, to, documents: null }));
}
