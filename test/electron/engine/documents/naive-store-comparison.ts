import { expect } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../support/engine.ts';
import { jsonOf, type NaiveDocument } from '../../../support/naive-store.ts';
import { ARCHIVE, COLLECTION, IDS } from './naive-store-operations.ts';
import type { StorePair } from './naive-store-pair.ts';

/** Compares every answer of the store with one computed from the documents alone. */
export async function compareStore(pair: StorePair): Promise<void> {
  const { naive, now } = pair;
  const { reads } = pair.store;
  const [summary] = await reads.summaries([COLLECTION], now);
  if (summary === undefined) throw new Error('the collection is gone');
  const all = [...naive.documents.values()];
  const deadlines = naive.deadlines();
  const overdue = deadlines.filter(({ at }) => at <= now);
  const ahead = deadlines.filter(({ at }) => at > now);
  const bytes = all.reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(jsonOf(one))), 0);
  expect(summary).toMatchObject({
    documents: all.length,
    bytes,
    pinned: all.filter(({ explicit }) => explicit === 'never').length,
    oldestOverdueAt: overdue.length === 0 ? null : Math.min(...overdue.map(({ at }) => at)),
    nextDeadlineAt: summary.recounting
      ? expect.anything()
      : ahead.length === 0
        ? null
        : Math.min(...ahead.map(({ at }) => at)),
    ...(summary.recounting
      ? { oldestOverdueAt: summary.oldestOverdueAt, nextDeadlineAt: summary.nextDeadlineAt }
      : {}),
  });
  if (!summary.recounting) {
    expect(summary).toMatchObject({ withDeadline: deadlines.length, overdue: overdue.length });
  }
  expect(summary.quarantined).toBe(all.reduce((sum, { quarantined }) => sum + quarantined.size, 0));
  const [archive] = await reads.summaries([ARCHIVE], now);
  expect(archive?.documents).toBe(naive.archive.size);
  await compareExpiries(pair);
  await compareTexts(pair, IDS);
  await compareIndexes(pair);
  await compareLists(pair);
  await compareTimeline(pair, summary.recounting);
}

/** Finishes every build, so that all counts can be compared. */
export async function finishAndCompare(pair: StorePair): Promise<void> {
  await pair.build();
  await compareStore(pair);
  for (let i = 0; i < 200 && pair.store.expiry.sweep(0); i++);
  expect(pair.store.unswept()).toBe(0);
  await compareStore(pair);
}

/** Checks that exactly the expiries whose copies must be kept are restorable. */
export async function compareExpiries(pair: StorePair): Promise<void> {
  for (const { naive, reported } of await pair.expiries()) {
    const { before, keepUntil, bytes, isTaken, wasReportedEvicted, mayBeEvicted } = naive;
    if (isTaken || wasReportedEvicted || keepUntil <= pair.now) {
      expect(reported.restorable, `${before.id} is gone`).toBeNull();
    } else if (reported.restorable !== null || !mayBeEvicted) {
      expect(reported.restorable, `${before.id} is kept`).toEqual({ until: keepUntil, bytes });
    }
    naive.wasReportedEvicted ||= reported.restorable === null;
  }
}

/** Returns the text of each named document, hidden or not. */
export async function compareTexts(pair: StorePair, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const document = pair.naive.documents.get(id);
    const read = pair.store.reads.document({ collection: COLLECTION, id, includeExpired: true }, pair.now);
    const stored = await read.then(
      answer => answer.document,
      () => undefined,
    );
    const expected = document && JSON.parse(JSON.stringify(jsonOf(document)));
    expect(stored, id).toEqual(expected);
  }
}

async function compareIndexes(pair: StorePair): Promise<void> {
  const { naive, now } = pair;
  const indexes = await pair.store.reads.indexes(COLLECTION, now);
  expect(indexes.map(({ name }) => name).sort()).toEqual([...naive.indexes.keys()].sort());
  for (const reported of indexes) {
    const index = naive.indexes.get(reported.name);
    if (index === undefined) continue;
    expect(reported.state).toBe(!index.isReady ? 'building' : index.isObserving ? 'observing' : 'ready');
    if (!index.isReady) continue;
    const all = [...naive.documents.values()];
    const at = all.flatMap(document => naive.deadlineBy(index, document) ?? []);
    const reasons: Record<string, number> = {};
    for (const document of all) {
      const reason = naive.reasonBy(index, document);
      if (reason !== null) reasons[reason] = (reasons[reason] ?? 0) + 1;
    }
    expect(reported).toMatchObject({
      documents: at.length,
      overdue: at.filter(one => one <= now).length,
      oldestOverdueAt: at.some(one => one <= now) ? Math.min(...at) : null,
      dueNextHour: at.filter(one => one > now && one <= now + HOUR).length,
      nextDeadlineAt: at.some(one => one > now) ? Math.min(...at.filter(one => one > now)) : null,
    });
    expect(Object.fromEntries(reported.never.reasons.map(({ reason, count }) => [reason, count]))).toEqual(
      reasons,
    );
  }
}

async function compareLists(pair: StorePair): Promise<void> {
  const { naive, now } = pair;
  const ids = [...naive.documents.keys()].sort();
  const visible = ids.filter(id => {
    const document = naive.documents.get(id);
    return document !== undefined && !naive.isHidden(document, now);
  });
  expect(await pair.list({})).toEqual(visible);
  expect(await pair.list({ order: 'desc', includeExpired: true })).toEqual([...ids].reverse());
  const at = (id: string) => {
    const document = naive.documents.get(id);
    return document === undefined ? null : (naive.governed(document)?.at ?? null);
  };
  for (const order of ['asc', 'desc'] as const) {
    const listed = await pair.list({ sort: 'deadline', order, includeExpired: true });
    expect([...listed].sort()).toEqual(ids);
    const sign = order === 'asc' ? 1 : -1;
    const sorted = [...listed].sort((a, b) => {
      const [x, y] = [at(a), at(b)];
      if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
      return sign * (x - y);
    });
    expect(listed.map(at)).toEqual(sorted.map(at));
    const shown = await pair.list({ sort: 'deadline', order });
    expect([...shown].sort()).toEqual(visible);
  }
  const isByUpdate = [...naive.indexes.values()].some(
    ({ isReady, source }) => isReady && source.kind === 'lastModified',
  );
  for (const order of isByUpdate ? (['asc', 'desc'] as const) : []) {
    const listed = await pair.list({ sort: 'updatedAt', order, includeExpired: true });
    expect([...listed].sort()).toEqual(ids);
    const times = listed.map(id => naive.documents.get(id)?.updatedAt ?? 0);
    expect(times).toEqual([...times].sort((x, y) => (order === 'asc' ? x - y : y - x)));
  }
  const states = {
    overdue: [],
    paused: [],
    soon: [],
    live: [],
    never: [],
    pinned: [],
    quarantined: [],
  } as Record<string, string[]>;
  for (const id of ids) {
    const document = naive.documents.get(id);
    if (document === undefined) continue;
    states[stateOf(pair, document)]?.push(id);
  }
  for (const state of ['overdue', 'paused', 'soon', 'live', 'never', 'pinned', 'quarantined'] as const) {
    expect([...(await pair.list({ state }))].sort(), state).toEqual(states[state]);
  }
  const window = { dueFrom: now - 10 * SECOND, dueTo: now + 30 * SECOND };
  expect([...(await pair.list({ ...window, includeExpired: true }))].sort()).toEqual(
    ids.filter(id => {
      const deadline = at(id);
      return deadline !== null && deadline >= window.dueFrom && deadline < window.dueTo;
    }),
  );
}

function stateOf(pair: StorePair, document: NaiveDocument): string {
  const deadline = pair.naive.governed(document);
  if (document.explicit === 'never') return 'pinned';
  if (deadline === null) return document.quarantined.size > 0 ? 'quarantined' : 'never';
  if (deadline.at > pair.now) return deadline.at - pair.now < HOUR ? 'soon' : 'live';
  const stopped = pair.paused.store || pair.paused.collection;
  return stopped || pair.naive.indexes.get(deadline.by)?.isPaused === true ? 'paused' : 'overdue';
}

async function compareTimeline(pair: StorePair, recounting: boolean): Promise<void> {
  const { naive, now } = pair;
  const second = Math.floor(now / SECOND) * SECOND;
  const spans = [
    { from: second - 30 * SECOND, to: second + 30 * SECOND, buckets: 60 },
    { from: second - 10 * MINUTE, to: second + 10 * MINUTE, buckets: 7 * 2 },
    {
      from: Math.floor(now / DAY) * DAY - 2 * DAY,
      to: Math.floor(now / DAY) * DAY + 4 * DAY,
      buckets: 144,
    },
  ];
  for (const span of spans) {
    const { buckets, overdue } = await pair.store.reads.timeline({ collection: COLLECTION, ...span }, now);
    if (!recounting) expect(overdue).toBe(naive.deadlines().filter(({ at }) => at <= now).length);
    // Each states its edges: whole seconds, also where the mean length is none.
    expect([buckets[0]?.fromAt, buckets.at(-1)?.toAt]).toEqual([span.from, span.to]);
    for (const [i, bucket] of buckets.entries()) {
      const { fromAt, toAt } = bucket;
      if (i > 0) expect(fromAt).toBe(buckets[i - 1]?.toAt);
      const inBucket = ({ at }: { at: number }) => at >= fromAt && at < toAt;
      const due = naive.deadlines().filter(inBucket);
      const expired = naive.expired.filter(inBucket);
      if (!recounting) expect(bucket.due, `due in bucket ${i}`).toBe(due.length);
      expect(bucket.expired, `expired in bucket ${i}`).toBe(expired.length);
      if (recounting) continue;
      for (const [by, split] of Object.entries(bucket.byIndex)) {
        const late = due.filter(one => one.by === by && one.at <= now).length;
        expect(split).toEqual({
          due: due.filter(one => one.by === by).length,
          expired: expired.filter(one => one.by === by).length,
          ...(inBucket({ at: now }) && late > 0 && { overdue: late }),
        });
      }
    }
  }
}
