import type { Metrics } from '../../../shared/contract/metrics.ts';
import { api } from './base.ts';
import { summaryOf } from './collections.ts';
import type { Engine } from './context.ts';

const MINUTE_MS = 60_000;

/** Counts, lag and rates of one collection or, with null, of the store [M1]. */
async function measure(engine: Engine, collection: string | null): Promise<Metrics> {
  const { backend, reaper, clock } = engine;
  const now = clock.now();
  const summaries =
    collection === null ? await backend.reads.summaries(null, now) : [await summaryOf(engine, collection)];
  const nextMinute = await backend.reads.timeline(
    { collection: collection ?? undefined, from: now + 1, to: now + 1 + MINUTE_MS, buckets: 1 },
    now,
  );
  const { lag, batchMs, removed, written } =
    collection === null ? engine.meters.store : engine.meters.of(collection);
  const total = (key: 'documents' | 'bytes' | 'withDeadline' | 'overdue') =>
    summaries.reduce((sum, summary) => sum + summary[key], 0);
  const overdue = total('overdue');
  const oldest = summaries.flatMap(({ oldestOverdueAt }) =>
    oldestOverdueAt === null ? [] : [oldestOverdueAt],
  );
  const rate = reaper.drainRate;
  return {
    now,
    collection,
    documents: total('documents'),
    bytes: total('bytes'),
    withDeadline: total('withDeadline'),
    overdue,
    oldestOverdueAt: oldest.length === 0 ? null : Math.min(...oldest),
    dueNextMinute: nextMinute.buckets[0]?.due ?? 0,
    removed: removed.total,
    selected: removed.total,
    changed: 0,
    quarantined: 0,
    passes: {},
    holds: 0,
    lag: lag.sinceOpen(),
    recentLag: lag.recent(now),
    batchMs: batchMs.recent(now),
    removedPerSecond: removed.perSecond(now),
    writtenPerSecond: written.perSecond(now),
    drainMs: overdue === 0 ? 0 : rate === null ? null : (overdue / rate) * 1000,
    nextWakeAt: reaper.status.nextWakeAt,
    recent: {
      removed: removed.series(now),
      written: written.series(now),
      lagMaxMs: lag.worst(now),
    },
  };
}

export const metrics = {
  get: api.metrics.get.handler(({ input, context: { engine } }) => measure(engine, input.collection ?? null)),
  expired: api.metrics.expired.handler(({ input, context: { engine } }) =>
    engine.backend.reads.expired(input),
  ),
};
