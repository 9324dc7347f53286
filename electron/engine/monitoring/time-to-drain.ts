import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { Limits } from '../../../shared/model/ttl-index.ts';
import type { Monitored } from './monitored-store.ts';

/**
 * Returns how long the removal of all overdue documents takes, ms: at the rate last measured, within the limits of
 * their indexes and the store [M1, R3]. Returns null without a measured rate and without a limit.
 */
export async function timeToDrainMs(
  engine: Pick<Monitored, 'backend' | 'reaper'>,
  summaries: readonly CollectionSummary[],
  now: number,
): Promise<number | null> {
  const waiting = summaries.filter(({ overdue }) => overdue > 0);
  if (waiting.length === 0) return 0;
  const { drainRate } = engine.reaper;
  const overdue = waiting.reduce((sum, summary) => sum + summary.overdue, 0);
  const measured = drainRate === null ? null : (overdue / drainRate) * 1000;
  const limited = Math.max(...(await Promise.all(waiting.map(summary => limitedMs(engine, summary, now)))));
  return limited === 0 ? measured : Math.max(limited, measured ?? 0);
}

/** How long the slowest limit of a collection makes its overdue documents take, ms; 0: no limit. */
async function limitedMs(
  { backend }: Pick<Monitored, 'backend'>,
  { name, overdue }: CollectionSummary,
  now: number,
): Promise<number> {
  const { removalsPerSecond: ofStore } = backend.settings.get();
  const perSecond = (limits: Limits) => limits.removalsPerSecond ?? ofStore;
  const isLimited = ofStore > 0 || backend.indexDefinitions(name).some(({ limits }) => perSecond(limits) > 0);
  if (!isLimited) return 0;
  const acting = (await backend.reads.indexes(name, now)).filter(
    ({ schedule }) => schedule.mode !== 'observe',
  );
  const byIndexes = acting.reduce((sum, index) => sum + index.overdue, 0);
  const takes = (documents: number, rate: number) => (rate === 0 ? 0 : (documents / rate) * 1000);
  return Math.max(
    takes(Math.max(0, overdue - byIndexes), ofStore),
    ...acting.map(index => takes(index.overdue, perSecond(index.limits))),
  );
}
