import type { Settings } from '../../../../../shared/contract/settings.ts';
import { EXPLICIT, type Limits } from '../../../../../shared/model/ttl-index.ts';
import type { PauseLevel, ReapSource } from '../../../expiry/expiry-store.ts';
import type { Tick } from '../../../expiry/schedule/ticks.ts';
import { type Catalog, EXPLICIT_SOURCE, isHeld } from '../catalog/catalog.ts';
import { noTick } from '../tables/schedule-ticks.ts';

/** A source with its number. */
export interface Source extends ReapSource {
  readonly id: number;
}

/** Returns every rule that may act, oldest first: explicit expirations, then indexes as they were created [R4]. */
export function listSources(
  catalog: Catalog,
  isChanging: (collection: string) => boolean,
  ticks: ReadonlyMap<number, Tick>,
): Source[] {
  const { paused, collections, settings } = catalog;
  const sources = [...collections.values()].flatMap(collection => {
    const place = { collection: collection.name, collectionId: collection.id };
    const wider: PauseLevel | null =
      collection.paused !== null ? 'collection' : paused !== null ? 'store' : null;
    const held = isHeld(catalog, collection.name) || isChanging(collection.name);
    const explicit: Source = {
      ...place,
      key: `${collection.id}:${EXPLICIT_SOURCE}`,
      id: EXPLICIT_SOURCE,
      index: EXPLICIT,
      schedule: { mode: 'exact' },
      tick: noTick(0),
      limits: limitsOf({}, settings),
      isPaused: wider !== null,
      pausedAt: wider,
      isHeld: held,
    };
    const indexes = collection.indexes
      .filter(index => index.isServing)
      .map(index => ({
        ...place,
        key: `${collection.id}:${index.id}`,
        id: index.id,
        index: index.name,
        schedule: index.definition.schedule,
        tick: ticks.get(index.id) ?? noTick(index.effectiveAt),
        limits: limitsOf(index.definition.limits, settings),
        isPaused: wider !== null || index.isPaused,
        pausedAt: index.isPaused ? ('index' as const) : wider,
        isHeld: held,
      }));
    return [explicit, ...indexes];
  });
  return sources.sort((a, b) => a.id - b.id);
}

/** Returns the index's own limits, or else the store's [R3]. */
function limitsOf({ removalsPerSecond, batchMs, batchSize }: Limits, settings: Settings): Source['limits'] {
  return {
    removalsPerSecond: removalsPerSecond ?? settings.removalsPerSecond,
    batchMs: batchMs ?? settings.batchMs,
    batchSize: batchSize ?? settings.batchSize,
  };
}
