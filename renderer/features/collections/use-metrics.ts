import type { Metrics } from '../../../shared/contract/metrics.ts';
import { orpc, useLiveQuery } from '../../api.ts';

/** Metrics of a collection, or of the whole store (null). */
export function useMetrics(collection: string | null): Metrics | undefined {
  return useLiveQuery(orpc.metrics.get.queryOptions({ input: collection === null ? {} : { collection } }), {
    collection,
  }).data;
}
