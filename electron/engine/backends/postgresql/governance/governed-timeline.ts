import type { TimelineAnswer, TimelineBucket } from '../../../../../shared/contract/timeline.ts';
import type { TimelineQuery } from '../../backend.ts';
import type { Session } from '../connection/session.ts';
import type { DeadlineSql } from '../governed/deadline/deadline-sql.ts';
import { withPartitions } from '../governed/partitions/whole-partitions.ts';
import { type BucketSpan, countDue, type DueBuckets, estimateDue } from '../governed/timeline/due-buckets.ts';
import { type RemovedMinute, readRemovedMinutes } from '../governed/timeline/removed-minutes.ts';
import type { GovernanceSnapshot, MeasuredIndex } from './governance-snapshot.ts';
import type { GovernedIndex } from './governed-index.ts';

/** Tables with more rows are estimated by the server's statistics. */
const MOST_COUNTED_ROWS = 200_000;

interface Series {
  readonly id: string;
  readonly measured: readonly MeasuredIndex[];
}

/**
 * Returns the timeline of one collection by index, or of all by collection: removals as counted by the minute, deadlines
 * counted in small tables and estimated in large ones.
 */
export async function readGovernedTimeline(
  session: Session,
  snapshot: GovernanceSnapshot,
  { collection, from, to, buckets }: TimelineQuery,
  { now, revision }: { now: number; revision: number },
): Promise<TimelineAnswer> {
  const series = seriesOf(snapshot, collection);
  const all = series.flatMap(({ measured }) => measured);
  const span = { from, to, buckets };
  const bucketMs = (to - from) / buckets;
  const filled = emptyBuckets(span);
  for (const { id, measured } of series)
    for (const { index } of measured)
      if (index.deadlines !== null)
        addDue(filled, id, await dueOf(session, index, index.deadlines, { span, now }));
  if (snapshot.hasSchema)
    for (const minute of await readRemovedMinutes(session, oidOf(snapshot, collection), span))
      addRemoved(filled, { from, bucketMs }, minute, idOf(series, minute, collection));
  const overdue = all.reduce((sum, { figures }) => sum + figures.overdue, 0);
  const earliest = all.flatMap(({ figures: { earliestAt } }) => earliestAt ?? []);
  const overdueAt = earliest.filter(at => at <= now);
  const nextAt = earliest.filter(at => at > now);
  return {
    now,
    revision,
    cutoff: null,
    overdue,
    oldestOverdueAt: least(overdueAt),
    actionDueAt: least(overdueAt),
    nextDeadlineAt: least(nextAt),
    earliestAt: least(earliest),
    latestAt: null,
    recounting: false,
    series: series.map(({ id, measured }) => ({
      id,
      label: id,
      paused: measured.every(({ index }) => index.definition.paused !== null)
        ? (measured[0]?.index.definition.paused ?? null)
        : null,
      overdue: measured.reduce((sum, { figures }) => sum + figures.overdue, 0),
    })),
    bucketMs,
    buckets: filled,
    cliffs: [],
  };
}

function seriesOf({ indexes }: GovernanceSnapshot, collection: string | undefined): Series[] {
  if (collection === undefined) return [...indexes].map(([id, measured]) => ({ id, measured }));
  return (indexes.get(collection) ?? []).map(measured => ({
    id: measured.index.definition.definition.name,
    measured: [measured],
  }));
}

async function dueOf(
  session: Session,
  { table, partitions }: GovernedIndex,
  deadlines: DeadlineSql,
  { span, now }: { span: BucketSpan; now: number },
): Promise<DueBuckets> {
  const whole = partitions.filter(({ deadlineAt }) => deadlineAt > now);
  const estimate = await estimateDue(session, table, deadlines, span, whole);
  const rows =
    estimate === null ? 0 : estimate.due.reduce((sum, due) => sum + due, estimate.before + estimate.after);
  return estimate === null || rows <= MOST_COUNTED_ROWS
    ? countDue(session, table, withPartitions(deadlines, whole), span, { hasSchema: true })
    : estimate;
}

function emptyBuckets({ from, to, buckets }: BucketSpan): TimelineBucket[] {
  const bucketMs = (to - from) / buckets;
  return Array.from({ length: buckets }, (_, i) => ({
    fromAt: from + i * bucketMs,
    toAt: from + (i + 1) * bucketMs,
    expired: 0,
    due: 0,
    byIndex: {},
  }));
}

function addDue(buckets: readonly TimelineBucket[], id: string, { due }: DueBuckets): void {
  due.forEach((count, i) => {
    const bucket = buckets[i];
    if (count === 0 || bucket === undefined) return;
    bucket.due += count;
    partOf(bucket, id).due += count;
  });
}

function addRemoved(
  buckets: readonly TimelineBucket[],
  { from, bucketMs }: { from: number; bucketMs: number },
  { at, removed }: RemovedMinute,
  id: string | null,
): void {
  const bucket = buckets[Math.max(0, Math.floor((at - from) / bucketMs))];
  if (bucket === undefined) return;
  bucket.expired += removed;
  if (id !== null) partOf(bucket, id).expired += removed;
}

function partOf(bucket: TimelineBucket, id: string) {
  const part = bucket.byIndex[id] ?? { expired: 0, due: 0 };
  bucket.byIndex[id] = part;
  return part;
}

/** The series of a removal; null: its index or table is gone. */
function idOf(
  series: readonly Series[],
  { oid, name }: RemovedMinute,
  collection: string | undefined,
): string | null {
  const isOfTable = ({ measured }: Series) => measured.some(({ index }) => index.table.oid === oid);
  if (collection !== undefined) return series.some(({ id }) => id === name) ? name : null;
  return series.find(isOfTable)?.id ?? null;
}

/** Null: of all tables; 0: the table is not governed. */
function oidOf({ indexes }: GovernanceSnapshot, collection: string | undefined): number | null {
  return collection === undefined ? null : (indexes.get(collection)?.[0]?.index.table.oid ?? 0);
}

function least(instants: readonly number[]): number | null {
  return instants.length === 0 ? null : Math.min(...instants);
}
