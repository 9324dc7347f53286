import { createHash } from 'node:crypto';
import { evenEdges } from './bucket-edges.ts';
import { DAY, HOUR, MINUTE, SECOND } from './count-levels.ts';
import type { IndexTableReader } from './index-table-reader.ts';

/** Widths of the spans whose counts are summed, the coarse ones first. */
const WIDTHS = [DAY, HOUR, MINUTE, SECOND] as const;

/**
 * Returns a checksum of what lives in an index table up to a reference time, SHA-256 in hex: how many documents, their
 * bytes, and how many by day, then by hour of the last day, by minute of its last hour and by second of its last minute.
 *
 * It is made of the counts, so it costs the same for any number of documents, at most one count per day: for a leader and
 * its follower whose tables have the same documents it is equal, however far either has swept. Row numbers and single
 * entries are not in it: reading each of ten million would take seconds, before the commit that expires them.
 */
export function intervalChecksum(table: IndexTableReader, through: number): string {
  const { documents, bytes } = table.before(through + 1);
  const hash = createHash('sha256').update(`${documents} ${bytes}`);
  // A reference time far beyond the last entry makes no more spans.
  const last = Math.min(through, table.last() ?? 0);
  let from = Math.floor((table.first() ?? last) / DAY) * DAY;
  for (const width of WIDTHS) {
    const end = Math.floor((last + 1) / width) * width;
    if (end <= from) continue;
    for (const [i, count] of table.histogram(evenEdges(from, width, (end - from) / width)).entries())
      if (count > 0) hash.update(` ${from + i * width}:${count}`);
    from = end;
  }
  return hash.digest('hex');
}
