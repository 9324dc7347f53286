import { formatCount } from '../../../../shared/model/format.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';

interface FoundProps {
  snapshot: PagerSnapshot;
  /** Documents in the collection. */
  documents: number | null;
  isFiltered: boolean;
}

/** How many a filter found, once all were looked at. */
export function Found({ snapshot, documents, isFiltered }: FoundProps) {
  if (!snapshot.isCounted || documents === null || !isFiltered) return <span className="found" />;
  return (
    <span className="found t-12 t-3 nowrap" role="status">
      {formatCount(snapshot.slots)} of {formatCount(documents)}
    </span>
  );
}
