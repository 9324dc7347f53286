import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { useLive } from '../../../api.ts';
import type { Selected } from '../../../components/data-grid/grid-selection.ts';
import { inConnection } from '../../../components/navigation/location.ts';
import { createKeyedStore, useKeyed } from '../../../state/keyed-store.ts';
import type { ExpiredSpan } from './expired-filter.ts';

/** What is done to what expired: to those chosen, to a span, or to all there is. */
export type LedgerTarget = { chosen: Selected<ExpiredEntry> } | { span: ExpiredSpan } | { everything: true };

/** What was begun last, so that a look elsewhere loses nothing of what came of it. */
export interface LedgerWork {
  job: Job;
  target: LedgerTarget;
  /** Null: it was a purge. */
  expiration: ExpirationSetting | null;
}

/** By connection. */
const begun = createKeyedStore<LedgerWork | null>(() => null);
const LEDGER = 'ledger';

export function beginWork(work: LedgerWork | null): void {
  begun.set(inConnection(LEDGER), work);
}

/** The last work with its job as it is by now; null once its result was read. */
export function useLedgerWork(): LedgerWork | null {
  const [work] = useKeyed(begun, inConnection(LEDGER));
  const latest = useLive(({ jobs }) => (work === null ? undefined : jobs.get(work.job.id)));
  if (work === null || work.job.state !== 'running' || latest === undefined) return work;
  return { ...work, job: latest };
}
