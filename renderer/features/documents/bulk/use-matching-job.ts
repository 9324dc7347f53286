import type { Job } from '../../../../shared/contract/jobs.ts';
import { useLive } from '../../../api.ts';
import { inConnection } from '../../../components/navigation/location.ts';
import { createKeyedStore, useKeyed } from '../../../state/keyed-store.ts';

/** The bulk change last begun in each collection: a look elsewhere loses nothing of what came of it. */
const begun = createKeyedStore<Job | null>(() => null);

/** That job as it is by now; null where there is none, or its result was read. */
export function useMatchingJob(collection: string): [Job | null, (job: Job | null) => void] {
  const [first, keep] = useKeyed(begun, inConnection(collection));
  const latest = useLive(({ jobs }) => (first === null ? undefined : jobs.get(first.id)));
  const hasEnded = first !== null && first.state !== 'running';
  return [hasEnded ? first : (latest ?? first), keep];
}
