import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import type { TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { referenceTimeReader } from '../../../shared/model/ttl-index.ts';

/** Why no TTL index gives a document a deadline, in the words of its explanation [X1]; null where one does. */
export function neverReason(
  row: DocumentRecord,
  indexes: Iterable<Pick<TtlIndex, 'source' | 'state'>>,
): string | null {
  if (row.state !== 'never') return null;
  const reasons = new Set<string>();
  for (const { source, state } of indexes) {
    const read = referenceTimeReader(source)(row.document);
    if ('reason' in read) reasons.add(read.reason);
    else if (state === 'building') reasons.add('still being built');
  }
  return reasons.size === 0 ? 'no TTL index' : [...reasons].join(', ');
}
