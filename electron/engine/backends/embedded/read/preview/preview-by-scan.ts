import type { Preview } from '../../../../../../shared/contract/ttl-indexes.ts';
import { SandglassError } from '../../../../../../shared/model/errors.ts';
import type { PreviewContext, PreviewQuery } from '../../../backend.ts';
import type { Reader } from '../reader.ts';
import { ruleOf } from './preview-rules.ts';
import { Scan } from './preview-scan.ts';
import { DocumentSlices } from './preview-slices.ts';

/** Others come in between after so much was read one by one. */
const BYTES_BEFORE_GIVING_WAY = 1_024 * 1_024;

/** How long a scan may go on before it gives way. */
export interface ScanTurn {
  /** Asked after each document where a rule may take long for each. */
  isOver(): boolean;
  /** Runs what evaluates expressions; throws EXPRESSION_TIMEOUT. */
  within<Result>(work: () => Result): Result;
}

const UNBOUNDED: ScanTurn = { isOver: () => false, within: work => work() };

/**
 * A new or a dropped index: every document is read on one snapshot, giving way to other work in between. Rejects
 * with CANCELLED when the signal aborts. The reader must be one of its own: its snapshot stays open meanwhile.
 */
export async function previewByScan(
  reader: Reader,
  query: PreviewQuery,
  { now, drainRate }: PreviewContext,
  giveWay: () => Promise<void>,
  signal: AbortSignal | undefined,
  turn: ScanTurn = UNBOUNDED,
): Promise<Omit<Preview, 'elapsedMs'>> {
  const pause = async () => {
    await giveWay();
    if (signal?.aborted === true) throw new SandglassError('CANCELLED', 'The preview was cancelled.');
  };
  if (!reader.isOpen) reader.begin();
  try {
    const collection = reader.collection(query.collection);
    const evaluates = [query.source, ...collection.indexes.map(({ definition }) => definition.source)].some(
      source => source?.kind === 'expression',
    );
    const rule = ruleOf(reader, collection, query);
    const scan = new Scan(rule, now);
    const dead = reader.dead.of(collection.id);
    const slices = new DocumentSlices(reader.db, collection.id, rule.needs);
    let readAlone = 0;
    for (let slice = slices.next(); slice !== null; slice = slices.next()) {
      for (let i = 0; i < slice.length; i += 1) {
        const row = slice.rowAt(i);
        if (dead.has(row)) continue;
        const document = slice.documents[i];
        const bytes = slice.bytes[i] ?? 0;
        if (document !== null) {
          const updatedAt = slice.updatedAt[i] ?? 0;
          const stored = { row, updatedAt, explicitAt: null, explicitAction: null };
          const reference = turn.within(() => rule.read(stored, document));
          const isCounted = scan.count(reference, bytes);
          if (evaluates && turn.isOver()) await pause();
          if (isCounted) continue;
        }
        const stored = slices.read(row);
        if (stored !== null) turn.within(() => scan.take(stored));
        readAlone += bytes;
        if (readAlone < BYTES_BEFORE_GIVING_WAY) continue;
        readAlone = 0;
        await pause();
      }
      await pause();
    }
    return scan.answer(reader.revision, drainRate);
  } finally {
    reader.end();
  }
}
