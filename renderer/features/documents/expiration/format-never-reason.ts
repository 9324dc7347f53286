import { t } from '@lingui/core/macro';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { fieldSourceReader } from '../../../../shared/model/field-source-reader.ts';
import { formatReason } from '../../../components/status/never-reason.ts';

/** Returns the reason why no TTL index gives the document a deadline [X1]; null if one does. */
export function formatNeverReason(
  row: DocumentRecord,
  indexes: Iterable<Pick<TtlIndex, 'source' | 'state'>>,
): string | null {
  if (row.state !== 'never') return null;
  const reasons = new Set<string>();
  for (const { source, state } of indexes) {
    const reason = reasonOf(row, source);
    if (reason !== null) reasons.add(reason);
    else if (state === 'building') reasons.add(t`index build`);
    else if (state === 'unconfirmed') reasons.add(t`not confirmed yet`);
    else if (state === 'observing') reasons.add(t`observe mode`);
  }
  return reasons.size === 0 ? t`no TTL index` : [...reasons].join(', ');
}

/** Only the engine evaluates expressions; its explanation has the reason. */
function reasonOf({ document, updatedAt }: DocumentRecord, source: TtlIndex['source']): string | null {
  switch (source.kind) {
    case 'field': {
      const read = fieldSourceReader(source)(document, updatedAt);
      return 'reason' in read ? formatReason(read.reason) : null;
    }
    case 'lastModified':
      return null;
    case 'expression':
      return t`expression without a deadline`;
  }
}
