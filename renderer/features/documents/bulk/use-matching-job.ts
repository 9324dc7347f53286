import type { Job } from '../../../../shared/contract/jobs.ts';
import { useLive } from '../../../api.ts';
import { inConnection } from '../../../components/navigation/location.ts';
import { createKeyedStore, useKeyed } from '../../../state/keyed-store.ts';

/** The last bulk change of each collection; kept while another page is open. */
const begun = createKeyedStore<Job | null>(() => null);

/** Returns the last bulk change with its current state; null: none, or its result was dismissed. */
export function useMatchingJob(collection: string): [Job | null, (job: Job | null) => void] {
  const [first, keep] = useKeyed(begun, inConnection(collection));
  const latest = useLive(({ jobs }) => (first === null ? undefined : jobs.get(first.id)));
  const hasEnded = first !== null && first.state !== 'running';
  return [hasEnded ? first : (latest ?? first), keep];
}
