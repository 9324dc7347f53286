import { COUNT_LEVELS, SECOND } from './count-levels.ts';
import { REASONS, type Tally } from './index-entry.ts';

/** A change of the documents and bytes that one bucket counts. */
export interface CountChange extends Tally {
  level: number;
  bucket: number;
}

/** Changes of the counts of an index table, collected during a transaction so that each bucket is written once. */
export class PendingCounts {
  /** By second of the reference time, or by reason. */
  readonly #changes = new Map<number, Tally>();

  /** Adds documents and bytes, or with negative numbers removes them. */
  change(reference: number, documents: number, bytes: number): void {
    const key = reference < 0 ? reference : Math.floor(reference / SECOND);
    const tally = this.#changes.get(key);
    if (tally === undefined) this.#changes.set(key, { documents, bytes });
    else {
      tally.documents += documents;
      tally.bytes += bytes;
    }
  }

  clear(): void {
    this.#changes.clear();
  }

  /** Returns the changes by level and bucket, in the order of the counts' key, and clears them. */
  take(): CountChange[] {
    if (this.#changes.size === 0) return [];
    const changes = [...this.#changes].sort(([a], [b]) => a - b);
    this.#changes.clear();
    const counts: CountChange[] = [];
    for (const [key, { documents, bytes }] of changes)
      if (key < 0) counts.push({ level: REASONS, bucket: key, documents, bytes });
    for (let level = 0; level < COUNT_LEVELS.length; level += 1) {
      const width = COUNT_LEVELS[level] ?? SECOND;
      for (const [key, { documents, bytes }] of changes) {
        if (key < 0) continue;
        const bucket = Math.floor((key * SECOND) / width);
        const last = counts.at(-1);
        if (last?.level === level && last.bucket === bucket) {
          last.documents += documents;
          last.bytes += bytes;
        } else counts.push({ level, bucket, documents, bytes });
      }
    }
    return counts;
  }
}
