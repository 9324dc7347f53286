import type { SeriesPoint } from '../../../../../shared/contract/metrics.ts';
import type { SeriesQuery } from '../../backend.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { SessionPool } from '../connection/session-pool.ts';
import { readRemovedMinutes } from '../governed/timeline/removed-minutes.ts';
import type { GovernanceWatch } from './governance-watch.ts';

/**
 * Returns the points with the removals of all Sandglass instances: the figures of this one have its own only.
 */
export async function withAllRemovals(
  { pool, catalog, watch }: { pool: SessionPool; catalog: Catalog; watch: GovernanceWatch },
  { collection, from, to }: SeriesQuery,
  points: readonly SeriesPoint[],
): Promise<SeriesPoint[]> {
  if (!watch.snapshot.hasSchema || points.length === 0) return [...points];
  const oid = collection === undefined ? null : (await catalog.table(collection)).oid;
  const minutes = Map.groupBy(
    await pool.use(session => readRemovedMinutes(session, oid, { from, to })),
    ({ at }) => at,
  );
  return points.map(point => {
    const found = minutes.get(point.at) ?? [];
    const removed = found.reduce((sum, minute) => sum + minute.removed, 0);
    if (removed <= point.removed) return point;
    const most = Math.max(...found.map(({ lagMsMax }) => lagMsMax), point.lagMaxMs ?? 0);
    return { ...point, removed, lagMaxMs: most };
  });
}
