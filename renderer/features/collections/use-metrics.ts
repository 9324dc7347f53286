import type { Metrics } from '../../../shared/contract/metrics.ts';
import { client, useLiveQuery } from '../../api.ts';

/** Metrics of a collection, or of the whole store (null). */
export function useMetrics(collection: string | null): Metrics | undefined {
  const { data } = useLiveQuery({
    key: ['metrics', collection],
    queryFn: () => client.metrics.get(collection === null ? {} : { collection }),
    collection,
  });
  return data;
}
