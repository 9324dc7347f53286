import type { WriteReport } from '../../../../shared/contract/documents.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { Incoming, WriteOptions } from '../backend.ts';
import type { DocumentWrites } from './document-writes.ts';
import { documentFromText, documentFromValue, type IncomingDocument } from './stored-document.ts';
import type { Transaction } from './transaction.ts';

const MOST_REPORTED_IDS = 1_000;
/** Documents are held parsed until so many bytes of them are written together. */
const BYTES_TOGETHER = 8 * 1024 * 1024;

type Report = Omit<WriteReport, 'revision'>;
type Prepared =
  | { incoming: Incoming; document: IncomingDocument }
  | { incoming: Incoming; document: null; error: SandglassError };

/**
 * Writes documents that came together: each that can be is, the others are reported [C1].
 * Throws INVALID_DOCUMENT where the caller asked for all or nothing.
 */
export function writeBatch(
  writes: DocumentWrites,
  transaction: Transaction,
  name: string,
  documents: readonly Incoming[],
  { mode, atomic, idField }: WriteOptions,
): Report {
  const keepIds = documents.length <= MOST_REPORTED_IDS;
  const report: Report = { inserted: 0, updated: 0, expiredOnArrival: 0, rejected: [], ids: [] };
  const writeTogether = (prepared: readonly Prepared[]) => {
    const ready = prepared.flatMap(({ incoming: { expiration }, document }) =>
      document === null ? [] : [{ document, expiration }],
    );
    const written = writes.writeAll(transaction, name, ready, mode).values();
    for (const one of prepared) {
      const outcome = one.document === null ? one.error : written.next().value;
      if (outcome === undefined) throw new Error('a document was written without an answer');
      if (outcome instanceof SandglassError) {
        report.rejected.push({
          line: one.incoming.line,
          ...(one.document === null ? {} : { _id: one.document.id }),
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
  for (const incoming of documents) {
    const one = prepare(incoming, idField, transaction.at);
    prepared.push(one);
    bytes += one.document?.bytes ?? 0;
    if (bytes < BYTES_TOGETHER) continue;
    writeTogether(prepared);
    prepared = [];
    bytes = 0;
  }
  writeTogether(prepared);
  if (atomic && report.rejected.length > 0) throw allOrNothing(report.rejected);
  return report;
}

function prepare(incoming: Incoming, idField: string | undefined, now: number): Prepared {
  const options = { idField, now };
  try {
    const document =
      'text' in incoming
        ? documentFromText(incoming.text, options)
        : documentFromValue(incoming.value, options);
    return { incoming, document };
  } catch (error) {
    if (error instanceof SandglassError) return { incoming, document: null, error };
    throw error;
  }
}

function allOrNothing(rejected: WriteReport['rejected']): SandglassError {
  const first = rejected[0];
  return new SandglassError(
    'INVALID_DOCUMENT',
    `Nothing was written: ${rejected.length} of the documents cannot be (the first, number ${first?.line}: ${first?.message ?? ''})`,
    { rejected },
  );
}
