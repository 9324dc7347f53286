import type { Preview } from '../../../../../../shared/contract/ttl-indexes.ts';
import type { PreviewContext, PreviewQuery } from '../../../backend.ts';
import type { ReadConnection } from '../read-connection.ts';
import { throwIfCancelled } from '../scan-scheduler.ts';
import { ruleOf } from './preview-rules.ts';
import { DocumentSlices } from './preview-slices.ts';
import { PreviewSums } from './preview-sums.ts';

/** Documents read one by one before the scan yields. */
const BYTES_PER_TURN = 1_024 * 1_024;

/** A scan's turn on its thread. */
export interface ScanTurn {
  /** Yields; resolves at the scan's next turn. */
  next(): Promise<void>;
  /** Called after each document if the rule evaluates expressions. */
  isOver(): boolean;
  /** Runs code that evaluates expressions; throws EXPRESSION_TIMEOUT. */
  within<Result>(work: () => Result): Result;
}

/**
 * Previews a new or a dropped index: reads every document on one snapshot and yields to other work. Rejects with
 * CANCELLED if the signal aborts. The reader must not be shared, since its snapshot stays open.
 */
export async function previewByScan(
  reader: ReadConnection,
  query: PreviewQuery,
  { now, drainRate }: PreviewContext,
  { turn, signal }: { turn: ScanTurn; signal: AbortSignal | undefined },
): Promise<Omit<Preview, 'elapsedMs'>> {
  const pause = async () => {
    await turn.next();
    throwIfCancelled(signal);
  };
  if (!reader.isOpen) reader.begin();
  try {
    const collection = reader.collection(query.collection);
    const { tombstones } = reader;
    const evaluates =
      tombstones.intervals.evaluates(collection.id) ||
      [query.source, ...collection.indexes.map(({ definition }) => definition.source)].some(
        source => source?.kind === 'expression',
      );
    const rule = ruleOf(reader, collection, query);
    const sums = new PreviewSums(rule, now);
    const slices = new DocumentSlices(reader.db, collection.id, rule.inputs);
    const dead = tombstones.of(collection.id);
    const lastExpired = tombstones.intervals.lastRowOf(collection.id);
    const isDead = (row: number) => {
      if (dead.has(row)) return true;
      const stored = row <= lastExpired ? slices.read(row) : null;
      return stored !== null && turn.within(() => tombstones.isDead(collection.id, stored));
    };
    let singleBytes = 0;
    for (let slice = slices.next(); slice !== null; slice = slices.next()) {
      for (let i = 0; i < slice.length; i += 1) {
        const row = slice.rowAt(i);
        const isRemoved = isDead(row);
        if (evaluates && turn.isOver()) await pause();
        if (isRemoved) continue;
        const document = slice.documents[i];
        const bytes = slice.bytes[i] ?? 0;
        if (document !== null) {
          const updatedAt = slice.updatedAt[i] ?? 0;
          const stored = { row, updatedAt, explicitAt: null, explicitAction: null };
          const reference = turn.within(() => rule.read(stored, document));
          const isCounted = sums.count(reference, bytes, document);
          if (evaluates && turn.isOver()) await pause();
          if (isCounted) continue;
        }
        const stored = slices.read(row);
        if (stored !== null) turn.within(() => sums.read(stored));
        singleBytes += bytes;
        if (singleBytes < BYTES_PER_TURN) continue;
        singleBytes = 0;
        await pause();
      }
      await pause();
    }
    return sums.answer(reader.revision, drainRate);
  } finally {
    reader.end();
  }
}
