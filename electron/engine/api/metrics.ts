import type { Metrics } from '../../../shared/contract/metrics.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { prometheusText } from '../monitoring/prometheus.ts';
import { timeToDrainMs } from '../monitoring/time-to-drain.ts';
import { summaryOf } from './collections.ts';
import type { Engine } from './context.ts';
import { api, embedded } from './procedure-guard.ts';

const MINUTE_MS = 60_000;

/** Counts, lag and rates of one collection or, with null, of the store [M1]. */
async function measure(engine: Engine, collection: string | null): Promise<Metrics> {
  const { backend, clock, meters } = engine;
  const now = clock.now();
  const summaries =
    collection === null ? await backend.reads.summaries(null, now) : [await summaryOf(engine, collection)];
  const nextMinute = await backend.reads.timeline(
    { collection: collection ?? undefined, from: now + 1, to: now + 1 + MINUTE_MS, buckets: 1 },
    now,
  );
  const { lag, batchMs, removed, written, counts } =
    collection === null ? meters.store : meters.of(collection);
  const total = (key: 'documents' | 'bytes' | 'withDeadline' | 'overdue') =>
    summaries.reduce((sum, summary) => sum + summary[key], 0);
  const overdue = total('overdue');
  const oldest = summaries.flatMap(({ oldestOverdueAt }) =>
    oldestOverdueAt === null ? [] : [oldestOverdueAt],
  );
  // Holds of the whole store apply to each collection.
  const { holds: allHolds, nextWakeAt } = engine.reaperCalls.state();
  const holds = allHolds.filter(
    hold => collection === null || hold.collection === null || hold.collection === collection,
  );
  return {
    now,
    collection,
    documents: total('documents'),
    bytes: total('bytes'),
    withDeadline: total('withDeadline'),
    overdue,
    oldestOverdueAt: oldest.length === 0 ? null : Math.min(...oldest),
    dueNextMinute: nextMinute.buckets[0]?.due ?? 0,
    selected: counts.total.removed + counts.total.changed + counts.total.quarantined,
    removed: counts.total.removed,
    changed: counts.total.changed,
    quarantined: counts.total.quarantined,
    passes: meters.passes.soFar(collection, now),
    holds: holds.length,
    lag: lag.sinceOpen(),
    recentLag: lag.recent(now),
    batchMs: batchMs.recent(now),
    removedPerSecond: removed.perSecond(now),
    writtenPerSecond: written.perSecond(now),
    drainMs: engine.kind === 'embedded' ? await timeToDrainMs(engine, summaries, now) : null,
    nextWakeAt,
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
    engine.backend.reads.expired(input, engine.clock.now()),
  ),
  series: api.metrics.series.handler(({ input, context: { engine } }) => {
    // The procedure guard has already refused engines without figures per minute, by their capabilities.
    if (engine.minutes === null)
      throw new SandglassError('NOT_SUPPORTED', 'No figures per minute are kept for this engine.', {
        feature: 'series',
      });
    return engine.minutes.series(input.collection ?? null, input.from, input.to);
  }),
  prometheus: embedded.metrics.prometheus.handler(({ context: { engine } }) => prometheusText(engine)),
};
