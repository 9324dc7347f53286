import { Trans } from '@lingui/react/macro';
import { formatCount } from '../../../i18n/format.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';

interface MatchCountProps {
  snapshot: PagerSnapshot;
  /** Documents in the collection. */
  documents: number | null;
  isFiltered: boolean;
}

/** Number of matches, once the whole list was searched. */
export function MatchCount({ snapshot, documents, isFiltered }: MatchCountProps) {
  if (!snapshot.isCounted || documents === null || !isFiltered) return <span className="found" />;
  return (
    <span className="found t-12 t-3 nowrap" role="status">
      <Trans>
        {formatCount(snapshot.slots)} of {formatCount(documents)}
      </Trans>
    </span>
  );
}
