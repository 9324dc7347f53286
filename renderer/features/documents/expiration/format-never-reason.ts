import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { fieldSourceReader } from '../../../../shared/model/field-reader.ts';

/** Why no TTL index gives a document a deadline, in the words of its explanation [X1]; null where one does. */
export function neverReason(
  row: DocumentRecord,
  indexes: Iterable<Pick<TtlIndex, 'source' | 'state'>>,
): string | null {
  if (row.state !== 'never') return null;
  const reasons = new Set<string>();
  for (const { source, state } of indexes) {
    const reason = reasonOf(row, source);
    if (reason !== null) reasons.add(reason);
    else if (state === 'building') reasons.add('still being built');
    else if (state === 'unconfirmed') reasons.add('not confirmed yet');
    else if (state === 'observing') reasons.add('only observed');
  }
  return reasons.size === 0 ? 'no TTL index' : [...reasons].join(', ');
}

/** What an expression says of a document only the engine can tell, and its explanation does. */
function reasonOf({ document, updatedAt }: DocumentRecord, source: TtlIndex['source']): string | null {
  switch (source.kind) {
    case 'field': {
      const read = fieldSourceReader(source)(document, updatedAt);
      return 'reason' in read ? read.reason : null;
    }
    case 'lastModified':
      return null;
    case 'expression':
      return 'its expression gives none';
  }
}
