import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import type { PolicyDiff } from '../../../shared/contract/policy.ts';
import { client, engineNow, liveState } from '../../api.ts';
import type { Facts } from './findings/finding.ts';
import { growsForever } from './findings/growing.ts';
import { mayBeIdle } from './findings/never-fired.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Number of collections read at a time, and of the largest collections without TTL that are read. */
const AT_ONCE = 4;
const MOST_GROWING = 20;
/** Growth of a collection with fewer documents is not reported. */
const GROWING_LEAST = 1_000;

/** Ages of the earlier measurement: the oldest known one of a day, six hours, an hour, ten minutes is used. */
const EARLIER_MS = [DAY_MS, DAY_MS / 4, DAY_MS / 24, 10 * MINUTE_MS] as const;
const EARLIER_SPAN_MS = 10 * MINUTE_MS;
const RECENT_MS = 6 * MINUTE_MS;

/** Reads the facts from which findings are computed. A collection dropped meanwhile is left out. */
export async function readFacts(): Promise<Facts> {
  const now = engineNow();
  const [collections, reaper, settings, timeline, jobs, drift] = await Promise.all([
    client.collections.list(),
    client.reaper.get(),
    client.settings.get(),
    client.timeline.get({ from: Math.floor(now), to: Math.floor(now) + DAY_MS, buckets: 144 }),
    client.jobs.list(),
    readPolicyDrift(),
  ]);
  const words = liveState().store?.capabilities.words;
  const importedAt = importsOf(jobs, now);
  const withIndexes = collections.filter(({ ttlIndexes }) => ttlIndexes > 0);
  const late = collections.filter(({ overdue, state }) => overdue > 0 && state === 'running');
  const growing = collections
    .filter(summary => growsForever(summary) && summary.documents >= GROWING_LEAST)
    .sort((a, b) => b.documents - a.documents)
    .slice(0, MOST_GROWING);
  const indexes = await each(withIndexes, ({ name }) => client.ttlIndexes.list({ collection: name }));
  const recent = await each(late, ({ name }) =>
    client.metrics.series({ collection: name, from: now - RECENT_MS, to: now }),
  );
  const idle = withIndexes.filter(({ name }) => indexes.get(name)?.some(index => mayBeIdle(index, now)));
  const acted = await each(idle, summary => actedSince(summary, now));
  const earlier = await each(growing, ({ name }) => earlierOf(name, now, importedAt.get(name)));
  return {
    now: engineNow(),
    windowNow: Date.now(),
    collections,
    ...(words !== undefined && { words }),
    reaper,
    settings,
    indexes,
    cliffs: timeline.cliffs,
    importedAt,
    recent,
    acted,
    earlier: new Map([...earlier].flatMap(([name, point]) => (point === null ? [] : [[name, point]]))),
    drift,
    space: null,
  };
}

/** Returns the differences from the expected policy, without counting effects; null: there is no such policy. */
export async function readPolicyDrift(): Promise<PolicyDiff | null> {
  return (await client.policy.expected()) === null ? null : client.policy.diff({ count: false });
}

async function each<Answer>(
  collections: readonly CollectionSummary[],
  read: (summary: CollectionSummary) => Promise<Answer>,
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  for (let i = 0; i < collections.length; i += AT_ONCE) {
    await Promise.all(
      collections.slice(i, i + AT_ONCE).map(async summary => {
        try {
          answers.set(summary.name, await read(summary));
        } catch (error) {
          // Dropped since it was listed; other errors are shown with the findings.
          if (liveState().collections?.has(summary.name) ?? true) throw error;
        }
      }),
    );
  }
  return answers;
}

/** Returns the number of documents each index acted on since the collection was created. */
async function actedSince(
  { name, createdAt }: CollectionSummary,
  now: number,
): Promise<Record<string, number>> {
  const { series, buckets } = await client.timeline.get({
    collection: name,
    from: Math.floor(createdAt),
    to: Math.ceil(now),
    buckets: 1,
  });
  return Object.fromEntries(
    series.map(({ id }) => [id, buckets.reduce((sum, { byIndex }) => sum + (byIndex[id]?.expired ?? 0), 0)]),
  );
}

/** Returns the end of the last import into each collection, or the present instant while one runs. */
function importsOf(jobs: readonly Job[], now: number): Map<string, number> {
  const ends = new Map<string, number>();
  for (const { kind, collection, endedAt } of jobs)
    if (kind === 'import' || kind === 'sample data' || kind === 'restore')
      ends.set(collection, Math.max(ends.get(collection) ?? 0, endedAt ?? now));
  return ends;
}

/** Returns the first measurement of the longest span that is known and follows `importedAt`, if there was an import. */
async function earlierOf(collection: string, now: number, importedAt = Number.NEGATIVE_INFINITY) {
  for (const ago of EARLIER_MS) {
    const from = Math.max(now - ago, Math.ceil(importedAt));
    if (from >= now) return null;
    const [first] = await client.metrics.series({ collection, from, to: from + EARLIER_SPAN_MS });
    if (first !== undefined) return first;
  }
  return null;
}
