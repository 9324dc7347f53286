import type { WriteReport } from '../../../../../shared/contract/documents.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { BatchReport, ExpirationOnArrival, Incoming, WriteOptions } from '../../backend.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { DocumentWrites } from './document-writes.ts';
import { checkIncomingExpiration } from './explicit-expiration.ts';
import { documentFromText, documentFromValue, type IncomingDocument } from './incoming-document.ts';

const MAX_REPORTED_IDS = 1_000;
/** Bytes of parsed documents that are written together. */
const BYTES_TOGETHER = 8 * 1024 * 1024;
/** Most documents written together if each may take long. The number starts at 1 and doubles. */
const MAX_TOGETHER = 64;

type Report = Omit<BatchReport, 'revision'>;
type Prepared =
  | { incoming: Incoming; document: IncomingDocument }
  | { incoming: Incoming; document: null; id: string | null; error: SandglassError };

/**
 * Writes a batch of documents: the valid ones are written, the others reported [C1]. `isOver` may end it early, after
 * at least one document. Throws INVALID_DOCUMENT if `atomic` and any document is rejected.
 */
export function writeBatch(
  writes: DocumentWrites,
  transaction: Transaction,
  name: string,
  documents: readonly Incoming[],
  { mode, atomic, idField, isOver }: WriteOptions,
): Report {
  const keepIds = documents.length <= MAX_REPORTED_IDS;
  const report: Report = { inserted: 0, updated: 0, expiredOnArrival: 0, rejected: [], ids: [] };
  let done = 0;
  const writeTogether = (prepared: readonly Prepared[]) => {
    done += prepared.length;
    const ready: { document: IncomingDocument; expiration: ExpirationOnArrival | undefined }[] = [];
    for (const { incoming, document } of prepared)
      if (document !== null) ready.push({ document, expiration: incoming.expiration });
    const written = writes.writeAll(transaction, name, ready, mode);
    let next = 0;
    for (const one of prepared) {
      const outcome = one.document === null ? one.error : written[next++];
      if (outcome === undefined) throw new Error('a document was written without an answer');
      if (outcome instanceof SandglassError) {
        const id = one.document === null ? one.id : one.document.id;
        report.rejected.push({
          line: one.incoming.line,
          ...(id === null ? {} : { _id: id }),
          code: outcome.code,
          message: outcome.message,
        });
        continue;
      }
      if (outcome.created) report.inserted += 1;
      else report.updated += 1;
      if (outcome.expiredOnArrival) report.expiredOnArrival += 1;
      if (keepIds && one.document !== null) report.ids.push(one.document.id);
    }
  };

  let prepared: Prepared[] = [];
  let bytes = 0;
  // Without expressions a batch of this size ends within its time.
  const evaluates = writes.evaluates(name);
  let together = evaluates && isOver !== undefined ? 1 : documents.length;
  for (const incoming of documents) {
    const one = prepare(incoming, idField, transaction.at);
    prepared.push(one);
    bytes += one.document?.bytes ?? 0;
    if (bytes < BYTES_TOGETHER && prepared.length < together) continue;
    writeTogether(prepared);
    prepared = [];
    bytes = 0;
    if (!atomic && isOver?.() === true) break;
    together = Math.min(2 * together, evaluates ? MAX_TOGETHER : documents.length);
  }
  writeTogether(prepared);
  if (done < documents.length) report.left = documents.length - done;
  if (atomic && report.rejected.length > 0) throw allOrNothing(report.rejected);
  return report;
}

function prepare(incoming: Incoming, idField: string | undefined, now: number): Prepared {
  const options = { idField, now };
  let id: string | null = null;
  try {
    const document =
      'text' in incoming
        ? documentFromText(incoming.text, options)
        : documentFromValue(incoming.value, options);
    id = document.id;
    if (incoming.expiration !== undefined) checkIncomingExpiration(incoming.expiration);
    return { incoming, document };
  } catch (error) {
    if (error instanceof SandglassError) return { incoming, document: null, id, error };
    throw error;
  }
}

function allOrNothing(rejected: WriteReport['rejected']): SandglassError {
  const first = rejected[0];
  return new SandglassError(
    'INVALID_DOCUMENT',
    `Nothing was written: ${rejected.length} documents were rejected (the first, number ${first?.line}: ${first?.message ?? ''})`,
    { rejected },
  );
}
