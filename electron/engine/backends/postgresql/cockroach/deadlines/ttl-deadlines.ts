import type { CollectionSummary } from '../../../../../../shared/contract/collections.ts';
import type { DocumentRecord, Explanation } from '../../../../../../shared/contract/documents.ts';
import type { TimelineAnswer, TimelineBucket } from '../../../../../../shared/contract/timeline.ts';
import { formatInstantInFull } from '../../../../../../shared/model/format.ts';
import type { TimelineQuery } from '../../../backend.ts';
import type { Session } from '../../connection/session.ts';
import { quoteText } from '../../governed/sql-text.ts';
import { NO_DEADLINES } from '../../rows/row-deadlines.ts';
import type { TableDeadlines } from '../../rows/table-deadlines.ts';
import { TTL_NAME } from '../ttl/ttl-definition.ts';
import { countBuckets, nextDeadline, spreadHours } from './deadline-counts.ts';
import { jobsOfTable, passInterval } from './ttl-passes.ts';
import { deadlineOf, type TableTtl, type TtlSnapshot } from './ttl-watch.ts';

/** Tables with more rows are shown by the hours of their last count. */
const MOST_COUNTED_ROWS = 200_000;

/** The deadlines by the row-level TTL of each table. */
export function ttlDeadlines(snapshot: () => TtlSnapshot): TableDeadlines {
  return {
    summary: (table, _, now) => summaryWith(table, snapshot().tables.get(table.name), now),
    async ofRows(_, { collection }) {
      const found = snapshot().tables.get(collection);
      if (found === undefined) return NO_DEADLINES;
      const isPaused = found.paused !== null;
      return { deadline: deadlineOf(found.ttl), from: quoteText(TTL_NAME), isPaused };
    },
    explain: async (_, { collection }, { record }) =>
      explanationOf(record, snapshot().tables.get(collection)),
    timeline: (session, query, at) => timelineOf(session, snapshot(), query, at),
  };
}

function summaryWith(given: CollectionSummary, found: TableTtl | undefined, now: number): CollectionSummary {
  if (found === undefined) return given;
  const { ttl, figures, paused, schedule } = found;
  const earliestAt = figures?.earliestAt ?? null;
  const isOverdue = earliestAt !== null && earliestAt <= now;
  const nextAt = nextDeadline(figures, now);
  return {
    ...given,
    withDeadline: figures?.rows ?? 0,
    overdue: figures?.overdue ?? 0,
    oldestOverdueAt: isOverdue ? earliestAt : null,
    actionDueAt: isOverdue ? (schedule?.nextRunAt ?? null) : null,
    passEveryMs: passInterval(ttl, now),
    nextDeadlineAt: nextAt,
    nextDeadlineFrom: nextAt === null ? null : TTL_NAME,
    ttlIndexes: 1,
    state: paused === null ? 'running' : 'paused',
    paused,
  };
}

function explanationOf(record: DocumentRecord, found: TableTtl | undefined): Explanation {
  const { _id, state, deadlineAt, deadlineFrom, waitsFor } = record;
  const paused = found !== undefined && found.paused !== null;
  const reason = deadlineAt === null ? 'missing field' : null;
  return {
    _id,
    state,
    deadlineAt,
    deadlineFrom,
    waitsFor: waitsFor ?? null,
    sentence: sentenceOf(deadlineAt, { hasTtl: found !== undefined, paused, isDue: isDue(record) }),
    candidates: found === undefined ? [] : [{ from: TTL_NAME, deadlineAt, reason, message: null, paused }],
  };
}

const isDue = ({ state }: DocumentRecord) => state === 'overdue' || state === 'paused';

function sentenceOf(
  deadlineAt: number | null,
  { hasTtl, paused, isDue: due }: { hasTtl: boolean; paused: boolean; isDue: boolean },
): string {
  if (!hasTtl) return 'It never expires: its table has no row-level TTL.';
  if (deadlineAt === null) return 'It never expires: the row-level TTL of its table gives it no deadline.';
  const at = formatInstantInFull(deadlineAt, 'utc');
  if (!due) return `It can be removed from ${at} on, by the next TTL job of its table.`;
  return paused
    ? `It was due at ${at} by the row-level TTL of its table, which is paused.`
    : `It was due at ${at}, and is removed by the next TTL job of its table.`;
}

/** Deadlines are counted in small tables, and shown by the hour in large ones; removals are those that jobs report. */
async function timelineOf(
  session: Session,
  { tables, jobs }: TtlSnapshot,
  { collection, from, to, buckets }: TimelineQuery,
  { now, revision }: { now: number; revision: number },
): Promise<TimelineAnswer> {
  const shown = [...tables].filter(([name]) => collection === undefined || name === collection);
  const bucketMs = (to - from) / buckets;
  const filled: TimelineBucket[] = Array.from({ length: buckets }, (_, i) => ({
    fromAt: from + i * bucketMs,
    toAt: from + (i + 1) * bucketMs,
    expired: 0,
    due: 0,
    byIndex: {},
  }));
  const add = (place: number, id: string, part: 'due' | 'expired', count: number) => {
    const bucket = filled[place];
    if (bucket === undefined || count === 0) return;
    bucket[part] += count;
    const ofIndex = bucket.byIndex[id] ?? { expired: 0, due: 0 };
    ofIndex[part] += count;
    bucket.byIndex[id] = ofIndex;
  };
  for (const [name, { entry, ttl, figures }] of shown) {
    const id = collection === undefined ? name : TTL_NAME;
    const span = { from, to, buckets };
    const isLarge = entry.rows > MOST_COUNTED_ROWS || (figures?.rows ?? 0) > MOST_COUNTED_ROWS;
    const due = isLarge
      ? spreadHours(figures?.hours ?? [], span)
      : await countBuckets(session, entry.name, deadlineOf(ttl), span);
    due.forEach((count, place) => {
      add(place, id, 'due', count);
    });
    for (const { finishedAt, removed } of jobsOfTable(jobs ?? [], entry))
      if (finishedAt !== null) add(Math.floor((finishedAt - from) / bucketMs), id, 'expired', removed ?? 0);
  }
  const figures = shown.flatMap(([, found]) => found.figures ?? []);
  const earliest = figures.flatMap(({ earliestAt }) => earliestAt ?? []);
  const latest = figures.flatMap(({ latestAt }) => latestAt ?? []);
  return {
    now,
    revision,
    cutoff: null,
    overdue: figures.reduce((sum, { overdue }) => sum + overdue, 0),
    oldestOverdueAt: least(earliest.filter(at => at <= now)),
    actionDueAt: least(shown.flatMap(([, { schedule }]) => schedule?.nextRunAt ?? [])),
    nextDeadlineAt: least(figures.flatMap(counted => nextDeadline(counted, now) ?? [])),
    earliestAt: least(earliest),
    latestAt: latest.length === 0 ? null : Math.max(...latest),
    recounting: false,
    series: shown.map(([name, { paused, figures: counted }]) => {
      const id = collection === undefined ? name : TTL_NAME;
      return { id, label: id, paused, overdue: counted?.overdue ?? 0 };
    }),
    bucketMs,
    buckets: filled,
    cliffs: [],
  };
}

function least(instants: readonly number[]): number | null {
  return instants.length === 0 ? null : Math.min(...instants);
}
