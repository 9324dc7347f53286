import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import type { GridRows } from '../../../components/data-grid/grid-rows.ts';
import type { PagerSnapshot } from './pager-snapshot.ts';

export function documentRows(snapshot: PagerSnapshot): GridRows<DocumentRecord> {
  const { slots, isCounted, rowAt, slotOf, loaded } = snapshot;
  return { count: slots, isCounted, rowAt, indexOf: slotOf, keyOf: ({ _id }) => _id, loaded };
}
