import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { useLive } from '../../../api.ts';
import type { Selected } from '../../../components/data-grid/grid-selection.ts';
import { inConnection } from '../../../components/navigation/location.ts';
import { createKeyedStore, useKeyed } from '../../../state/keyed-store.ts';
import type { ExpiredSpan } from './expired-filter.ts';

/** Target of a restore or a purge; `count`: null if not all entries of a span are in memory. */
export type ExpiredTarget =
  | { chosen: Selected<ExpiredEntry> }
  | { span: ExpiredSpan; count: number | null }
  | { everything: true };

/** The last job; kept while another page is open. */
export interface ExpiredJob {
  job: Job;
  target: ExpiredTarget;
  /** Null: a purge. */
  expiration: ExpirationSetting | null;
}

/** By connection. */
const begun = createKeyedStore<ExpiredJob | null>(() => null);
const SUBJECT = 'expired';

export function setExpiredJob(work: ExpiredJob | null): void {
  begun.set(inConnection(SUBJECT), work);
}

/** The last job with its current state; null after its result was dismissed. */
export function useExpiredJob(): ExpiredJob | null {
  const [work] = useKeyed(begun, inConnection(SUBJECT));
  const latest = useLive(({ jobs }) => (work === null ? undefined : jobs.get(work.job.id)));
  if (work === null || work.job.state !== 'running' || latest === undefined) return work;
  return { ...work, job: latest };
}
