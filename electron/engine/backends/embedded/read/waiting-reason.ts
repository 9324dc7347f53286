import type { Explanation } from '../../../../../shared/contract/documents.ts';
import type { TtlIndexDefinition } from '../../../../../shared/model/ttl-index.ts';
import type { Deadline } from '../../../expiry/deadline.ts';
import { continues, hasSchedule } from '../../../expiry/schedule/ticks.ts';
import { type CatalogCollection, isHeld } from '../catalog/catalog.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import { readTick } from '../tables/schedule-ticks.ts';
import type { ReadConnection } from './read-connection.ts';

/** Explicit expirations have no schedule and no limits of their own. */
const EXACT: Pick<TtlIndexDefinition, 'schedule' | 'limits'> = { schedule: { mode: 'exact' }, limits: {} };

/** Returns what delays the action on a document that is due [X1]. Call inside a read transaction. */
export function waitingReason(
  deadline: Deadline<CatalogIndex>,
  collection: CatalogCollection,
  { db, catalog }: Pick<ReadConnection, 'db' | 'catalog'>,
): NonNullable<Explanation['waitsFor']> {
  if (isHeld(catalog, collection.name)) return 'hold';
  if (catalog.paused !== null) return 'paused store';
  if (collection.paused !== null) return 'paused collection';
  if (deadline.kind === 'index' && deadline.rule.isPaused) return 'paused index';
  if (deadline.kind === 'index' && !deadline.rule.isReady) return 'index build';
  const { schedule, limits } = deadline.kind === 'index' ? deadline.rule.definition : EXACT;
  if (deadline.kind === 'index' && hasSchedule({ schedule })) {
    const tick = readTick(db, deadline.rule);
    if (!continues(tick, catalog.settings) || deadline.at > tick.at) return 'schedule';
  }
  return (limits.removalsPerSecond ?? catalog.settings.removalsPerSecond) > 0 ? 'limit' : 'reaper';
}
