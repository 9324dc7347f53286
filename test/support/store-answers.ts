import type { EmbeddedStore } from '../../electron/engine/backends/embedded/store.ts';

/** The answers of a store to every read, at `now`. */
export async function answersOf(store: EmbeddedStore, now: number) {
  const { reads } = store;
  const collections = store.collectionNames().sort();
  const all = { limit: 1_000, sort: '_id', order: 'asc', includeExpired: true } as const;
  const perCollection: Record<string, unknown> = {};
  for (const collection of collections) {
    const { documents } = await reads.documents({ collection, ...all }, now);
    const shown = await reads.documents({ collection, ...all, includeExpired: false }, now);
    const indexes = await reads.indexes(collection, now);
    const droppedIndexes = await reads.droppedIndexes(collection);
    const named = [...indexes, ...droppedIndexes].map(({ name }) => name);
    perCollection[collection] = {
      documents,
      shown: shown.documents.map(({ _id }) => _id),
      explanations: await Promise.all(documents.map(({ _id }) => reads.explain(collection, _id, now))),
      indexes,
      droppedIndexes,
      histories: await Promise.all(named.map(name => reads.policyHistory(collection, name))),
      timeline: await reads.timeline(
        { collection, from: now - 7_200_000, to: now + 7_200_000, buckets: 40 },
        now,
      ),
      series: await reads.series({ collection, from: now - 86_400_000, to: now }),
      exported: await reads.exportPage(
        { collection, deadlines: true, includeExpired: true, limit: 1_000 },
        now,
      ),
    };
  }
  const { events } = await reads.changes({ from: { revision: 1, position: 0 }, limit: 10_000 });
  return {
    summaries: await reads.summaries(null, now),
    perCollection,
    passes: await reads.passes({ limit: 1_000 }),
    expired: await reads.expired({ limit: 1_000 }, now),
    restorable: store.expired.find({ collection: null, restorable: true }, { cursor: null, order: 'asc' }),
    events,
    kept: await reads.storage(),
    series: await reads.series({ from: now - 86_400_000, to: now }),
    holds: store.holds.list(),
    pauses: store.pauses(),
    settings: store.settings.get(),
    dropped: store.dropped.list(),
    purges: store.purges.list(),
    followers: store.followers.list(),
    storeId: store.followers.storeId,
    lastOpening: store.openings.last,
    unswept: store.unswept(),
    revision: store.revision,
  };
}
