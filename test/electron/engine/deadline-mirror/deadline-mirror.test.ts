import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Commit } from '../../../../electron/engine/backends/backend.ts';
import { DeadlineMirror } from '../../../../electron/engine/deadline-mirror/deadline-mirror.ts';
import type { Departure } from '../../../../electron/engine/deadline-mirror/mirrored-key.ts';
import { createLogger } from '../../../../electron/engine/platform/logger.ts';
import type { SeriesPoint } from '../../../../shared/contract/metrics.ts';
import { DAY, HOUR, MINUTE, NOON, SECOND } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { mirroredKey, openTestMirror } from '../../../support/mirror.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const silent = createLogger('silent', () => NOON);

function departure(id: string, others: Partial<Departure> = {}): Departure {
  return { id, cause: 'expired', at: NOON, measuresLag: true, ...others };
}

describe('keys of a mirror', () => {
  it('are counted by collection, with the next deadline and the bytes that were measured', async () => {
    const { mirror } = openTestMirror();
    mirror.put([
      mirroredKey('session:1', NOON + HOUR, { bytes: 100 }),
      mirroredKey('session:2', NOON + MINUTE, { bytes: 50 }),
      mirroredKey('session:3', null),
      mirroredKey('cache:1', NOON - SECOND),
    ]);
    expect(await mirror.reads.summaries(null, NOON)).toEqual([
      {
        name: 'cache',
        documents: 1,
        bytes: 0,
        withDeadline: 1,
        pinned: 0,
        overdue: 1,
        oldestOverdueAt: NOON - SECOND,
        actionDueAt: NOON - SECOND,
        passEveryMs: null,
        quarantined: 0,
        nextDeadlineAt: null,
        nextDeadlineFrom: null,
        ttlIndexes: 0,
        state: 'running',
        paused: null,
        holds: [],
        recounting: false,
        createdAt: NOON,
      },
      {
        name: 'session',
        documents: 3,
        bytes: 150,
        withDeadline: 2,
        pinned: 0,
        overdue: 0,
        oldestOverdueAt: null,
        actionDueAt: null,
        passEveryMs: null,
        quarantined: 0,
        nextDeadlineAt: NOON + MINUTE,
        nextDeadlineFrom: 'ttl',
        ttlIndexes: 0,
        state: 'running',
        paused: null,
        holds: [],
        recounting: false,
        createdAt: NOON,
      },
    ]);
    expect(await mirror.reads.summaries(['session', 'unknown'], NOON)).toHaveLength(1);
    expect(mirror.collectionNames().sort()).toEqual(['cache', 'session']);
  });

  it('have the last of two values that were put at once, and the last measured size', async () => {
    const { mirror } = openTestMirror();
    mirror.put([
      mirroredKey('a:1', NOON + HOUR, { bytes: 10 }),
      mirroredKey('a:1', NOON + DAY, { bytes: 20 }),
    ]);
    mirror.put([mirroredKey('a:1', NOON + 2 * DAY, { type: 'hash' })]);
    const record = await mirror.reads.document({ collection: 'a', id: 'a:1', includeExpired: false }, NOON);
    expect(record).toEqual({
      _id: 'a:1',
      document: { _id: 'a:1', type: 'hash' },
      updatedAt: NOON,
      deadlineAt: NOON + 2 * DAY,
      deadlineFrom: 'ttl',
      state: 'live',
      hidden: false,
      bytes: 20,
    });
    expect(mirror.deadlineOf('a:1')).toEqual({ deadlineAt: NOON + 2 * DAY, collection: 'a' });
    expect(mirror.deadlineOf('a:2')).toBeUndefined();
  });

  it('create their collection with the first key and remove it with the last', async () => {
    const { mirror } = openTestMirror();
    mirror.put([mirroredKey('a:1', NOON + HOUR)]);
    expect(mirror.hasCollection('a')).toBe(true);
    mirror.depart([departure('a:1', { cause: 'deleted' })]);
    expect(mirror.hasCollection('a')).toBe(false);
    expect(await mirror.reads.summaries(null, NOON)).toEqual([]);
    await expect(mirror.reads.missing('a', [])).rejects.toMatchObject({ code: 'COLLECTION_NOT_FOUND' });
    expect((await mirror.reads.expired({ collection: 'a', limit: 10 }, NOON)).expired).toHaveLength(1);
  });

  it('move to another collection when the grouping changes', async () => {
    const { mirror } = openTestMirror();
    mirror.put([mirroredKey('a:1', NOON + HOUR, { bytes: 5 })]);
    mirror.put([mirroredKey('a:1', NOON + HOUR, { collection: 'b' })]);
    const summaries = await mirror.reads.summaries(null, NOON);
    expect(summaries.map(({ name, documents, bytes }) => [name, documents, bytes])).toEqual([['b', 1, 5]]);
  });
});

describe('[X2] the timeline of a store with thousands of prefixes', () => {
  it('counts all but the hundred largest in one series, exactly', async () => {
    const { mirror } = openTestMirror();
    const keys = Array.from({ length: 3_000 }, (_, i) =>
      mirroredKey(`p${i % 700}:${i}`, NOON + ((i * 7_919) % 7_200) * SECOND - HOUR + (i % 1_000)),
    );
    mirror.put(keys);
    mirror.depart(keys.slice(0, 400).map(({ id }) => departure(id, { at: NOON - MINUTE })));
    const left = keys.slice(400).map(({ deadlineAt }) => deadlineAt ?? 0);
    const span = { from: NOON - HOUR + 250, to: NOON + HOUR + 250, buckets: 37 };
    const { buckets, series, overdue, earliestAt, latestAt } = await mirror.reads.timeline(span, NOON);
    expect(series).toHaveLength(101);
    expect(series.at(-1)).toMatchObject({ label: 'others', collections: 600 });
    expect(buckets.map(({ due }) => due)).toEqual(
      buckets.map(({ fromAt, toAt }) => left.filter(at => at >= fromAt && at < toAt).length),
    );
    expect(buckets.reduce((sum, { expired }) => sum + expired, 0)).toBe(400);
    expect(overdue).toBe(left.filter(at => at <= NOON).length);
    expect(earliestAt).toBeLessThanOrEqual(Math.min(...left));
    expect(latestAt).toBe(Math.max(...left));
  });

  it('takes less than a second of CPU for 10,000', async () => {
    const { mirror } = openTestMirror();
    const keys = Array.from({ length: 50_000 }, (_, i) =>
      mirroredKey(`p${i % 10_000}:${i}`, NOON + ((i * 7_919) % 86_400) * SECOND),
    );
    mirror.put(keys);
    const before = process.cpuUsage();
    await mirror.reads.timeline({ from: NOON, to: NOON + HOUR, buckets: 300 }, NOON);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});

describe('departures', () => {
  it('are listed with their cause; an evicted key is told from the other deleted ones', async () => {
    const { mirror } = openTestMirror();
    mirror.put(['1', '2', '3'].map(n => mirroredKey(`a:${n}`, NOON - SECOND)));
    mirror.depart([departure('a:1'), departure('unknown')]);
    mirror.depart([departure('a:2', { cause: 'evicted' }), departure('a:3', { cause: 'deleted' })]);
    const { expired, next } = await mirror.reads.expired({ limit: 10 }, NOON);
    expect(expired.map(({ _id, cause, isEvicted }) => [_id, cause, isEvicted])).toEqual([
      ['a:3', 'deleted', undefined],
      ['a:2', 'deleted', true],
      ['a:1', 'expired', undefined],
    ]);
    expect(expired[2]).toEqual({
      _id: 'a:1',
      collection: 'a',
      index: 'ttl',
      deadlineAt: NOON - SECOND,
      removedAt: NOON,
      dueSinceAt: NOON - SECOND,
      lagMs: SECOND,
      revision: 2,
      position: 0,
      pass: 0,
      id: '1',
      action: 'delete',
      cause: 'expired',
      restorable: null,
      isRestored: false,
    });
    expect(next).toBeNull();
    expect((await mirror.reads.expired({ cause: 'expired', limit: 10 }, NOON)).expired).toHaveLength(1);
    const first = await mirror.reads.expired({ limit: 2 }, NOON);
    expect(first.next).toBe('2');
    expect((await mirror.reads.expired({ limit: 2, before: '2' }, NOON)).expired).toEqual([expired[2]]);
    await expect(mirror.reads.expired({ limit: 2, before: 'x' }, NOON)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('[X2] of expired keys are counted on the timeline by the time of removal', async () => {
    const { mirror } = openTestMirror();
    mirror.put([
      mirroredKey('a:1', NOON - HOUR),
      mirroredKey('a:2', NOON - HOUR),
      mirroredKey('a:3', NOON - HOUR),
    ]);
    mirror.depart([departure('a:1'), departure('a:2', { cause: 'deleted' })]);
    const { buckets, series } = await mirror.reads.timeline(
      { collection: 'a', from: NOON - HOUR, to: NOON + HOUR, buckets: 2 },
      NOON,
    );
    expect(buckets.map(({ byIndex }) => byIndex)).toEqual([
      { ttl: { due: 1, expired: 0 } },
      { ttl: { due: 0, expired: 1 } },
    ]);
    expect(series).toEqual([{ id: 'ttl', label: 'ttl', paused: null, overdue: 1 }]);
  });

  it('are kept for 30 days, 100,000 at most', async () => {
    const { mirror, clock } = openTestMirror();
    mirror.put([mirroredKey('a:old', NOON), mirroredKey('a:new', NOON)]);
    mirror.depart([departure('a:old')]);
    clock.set(NOON + 31 * DAY);
    mirror.depart([departure('a:new', { at: NOON + 31 * DAY })]);
    const { expired } = await mirror.reads.expired({ limit: 10 }, NOON);
    expect(expired.map(({ _id }) => _id)).toEqual(['a:new']);
  });
});

describe('a scan', () => {
  it('removes at its end the keys that it did not find, without history, in steps', async () => {
    const { mirror } = openTestMirror();
    mirror.put(Array.from({ length: 2_000 }, (_, i) => mirroredKey(`a:${i}`, NOON + HOUR)));
    const scan = mirror.beginScan();
    mirror.put([mirroredKey('a:7', NOON + HOUR), mirroredKey('b:1', null)]);
    let steps = 1;
    while (mirror.endScan(scan, 0)) steps += 1;
    expect(steps).toBeGreaterThan(3);
    const summaries = await mirror.reads.summaries(null, NOON);
    expect(summaries.map(({ name, documents }) => [name, documents])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    expect((await mirror.reads.expired({ limit: 10 }, NOON)).expired).toEqual([]);
  });

  it('that was replaced by another one removes nothing', async () => {
    const { mirror } = openTestMirror();
    mirror.put([mirroredKey('a:1', null)]);
    const first = mirror.beginScan();
    mirror.beginScan();
    expect(mirror.endScan(first, 10)).toBe(false);
    expect(mirror.hasCollection('a')).toBe(true);
  });

  it('that was interrupted by a restart keeps the keys that it found, and the next one removes the rest', async () => {
    const opened = openTestMirror();
    opened.mirror.put([mirroredKey('a:1', null), mirroredKey('a:2', null)]);
    opened.mirror.beginScan();
    opened.mirror.put([mirroredKey('a:1', null)]);
    const mirror = opened.reopen();
    const scan = mirror.beginScan();
    mirror.put([mirroredKey('a:2', null)]);
    while (mirror.endScan(scan, 10));
    expect((await mirror.reads.documents(listOf('a'), NOON)).documents.map(({ _id }) => _id)).toEqual([
      'a:2',
    ]);
  });
});

describe('commits of a mirror', () => {
  it('[V2] have increasing revisions, and list the changes', () => {
    const opened = openTestMirror();
    const commits: Commit[] = [];
    opened.mirror.onCommit(commit => commits.push(commit));
    opened.mirror.put([mirroredKey('a:1', NOON)]);
    opened.mirror.put([mirroredKey('a:1', NOON)]);
    opened.mirror.put([mirroredKey('a:1', NOON + HOUR)]);
    opened.mirror.depart([departure('a:1', { at: NOON + HOUR + 5 })]);
    expect(commits).toEqual([
      {
        revision: 1,
        at: NOON,
        collections: new Set(['a']),
        changes: [{ collection: 'a', kind: 'insert', id: 'a:1' }],
      },
      {
        revision: 2,
        at: NOON,
        collections: new Set(['a']),
        changes: [{ collection: 'a', kind: 'expiration', id: 'a:1' }],
      },
      {
        revision: 3,
        at: NOON,
        collections: new Set(['a']),
        changes: [
          {
            collection: 'a',
            kind: 'expire',
            id: 'a:1',
            index: 'ttl',
            action: 'delete',
            deadlineAt: NOON + HOUR,
            lagMs: 5,
          },
        ],
      },
    ]);
    expect(opened.reopen().revision).toBe(3);
  });

  it('contain no lag that the server does not determine, and of a scan only the collections', () => {
    const { mirror } = openTestMirror();
    const commits: Commit[] = [];
    mirror.setState({ is: 'scanning', done: 0, total: null, since: NOON, reason: null });
    const stop = mirror.onCommit(commit => commits.push(commit));
    mirror.put([mirroredKey('a:1', NOON - SECOND)]);
    mirror.depart([departure('a:1', { measuresLag: false })]);
    stop();
    mirror.put([mirroredKey('a:2', NOON)]);
    expect(commits.map(({ changes }) => changes)).toEqual([
      [],
      [
        {
          collection: 'a',
          kind: 'expire',
          id: 'a:1',
          index: 'ttl',
          action: 'delete',
          deadlineAt: NOON - SECOND,
        },
      ],
    ]);
  });
});

describe('figures by the minute', () => {
  const point: SeriesPoint = {
    at: NOON,
    documents: 2,
    withDeadline: 1,
    overdue: 0,
    written: 3,
    removed: 4,
    changed: 0,
    quarantined: 0,
    lagP50Ms: 5,
    lagP99Ms: 6,
    lagMaxMs: 7,
    batchMaxMs: null,
  };

  it('[M1] of the store and of each collection are kept across a restart, and create no revision', async () => {
    const opened = openTestMirror();
    opened.mirror.put([mirroredKey('a:1', NOON)]);
    opened.mirror.series.append([
      { collection: null, point },
      { collection: 'a', point },
      { collection: 'gone', point },
    ]);
    opened.mirror.series.append([{ collection: 'a', point: { ...point, removed: 1 } }]);
    const { reads, revision } = opened.reopen();
    expect(revision).toBe(1);
    const span = { from: NOON - MINUTE, to: NOON + MINUTE };
    expect(await reads.series(span)).toEqual([point]);
    expect(await reads.series({ ...span, collection: 'a' })).toMatchObject([{ removed: 5 }]);
    await expect(reads.series({ ...span, collection: 'gone' })).rejects.toMatchObject({
      code: 'COLLECTION_NOT_FOUND',
    });
  });
});

describe('pages of a mirror', () => {
  it('are in the order of _id or deadline, both ways, keys that never expire last', async () => {
    const { mirror } = openTestMirror();
    mirror.put([
      mirroredKey('a:1', NOON + 3 * HOUR),
      mirroredKey('a:2', NOON + MINUTE),
      mirroredKey('a:3', null),
      mirroredKey('a:4', NOON - MINUTE),
      mirroredKey('a:5', null),
    ]);
    const ids = async (query: Partial<Parameters<typeof listOf>[1]>) => {
      const found: string[] = [];
      let after: string | undefined;
      do {
        const page = await mirror.reads.documents(listOf('a', { limit: 2, ...query, after }), NOON);
        found.push(...page.documents.map(({ _id }) => _id.slice(2)));
        expect(page.documents.length).toBeLessThanOrEqual(2);
        after = page.next ?? undefined;
      } while (after !== undefined);
      return found.join('');
    };
    expect(await ids({})).toBe('1235');
    expect(await ids({ order: 'desc' })).toBe('5321');
    expect(await ids({ includeExpired: true })).toBe('12345');
    expect(await ids({ startAt: 'a:2' })).toBe('235');
    expect(await ids({ startAt: 'a:2', order: 'desc' })).toBe('21');
    expect(await ids({ sort: 'deadline' })).toBe('2135');
    expect(await ids({ sort: 'deadline', order: 'desc', includeExpired: true })).toBe('12435');
    expect(await ids({ state: 'overdue' })).toBe('4');
    expect(await ids({ state: 'soon' })).toBe('2');
    expect(await ids({ state: 'live' })).toBe('1');
    expect(await ids({ state: 'never' })).toBe('35');
    expect(await ids({ state: 'paused' })).toBe('');
    expect(await ids({ index: 'ttl' })).toBe('21');
    expect(await ids({ index: 'ttl', reason: 'no TTL index' })).toBe('35');
    expect(await ids({ index: 'other' })).toBe('');
    expect(await ids({ dueFrom: NOON, dueTo: NOON + 3 * HOUR })).toBe('2');
    expect(await ids({ filter: ':3' })).toBe('3');
    expect(await ids({ sort: 'deadline', filter: 'A:' })).toBe('2135');
  });

  it('refuse queries for data that a mirror does not keep', async () => {
    const { mirror } = openTestMirror();
    mirror.put([mirroredKey('a:1', null)]);
    const refused = (query: Parameters<typeof listOf>[1]) => mirror.reads.documents(listOf('a', query), NOON);
    await expect(refused({ cel: 'doc.a == 1' })).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
    await expect(refused({ sort: 'updatedAt' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(refused({ startAt: 'a', sort: 'deadline' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(refused({ after: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(mirror.reads.documents(listOf('b'), NOON)).rejects.toMatchObject({
      code: 'COLLECTION_NOT_FOUND',
    });
  });

  it('end early after 200 ms, and at once when the caller has disconnected; other work runs meanwhile', async () => {
    let elapsed = 0;
    // A read of 256 keys takes some 10 ms.
    const clock = { ...createManualClock(NOON), elapsed: () => (elapsed += 5) };
    const file = join(temporaryFolder(), 'c.sqlite');
    const mirror = DeadlineMirror.open({ file, clock, log: silent });
    onTestFinished(() => mirror.close());
    mirror.put(Array.from({ length: 20_000 }, (_, i) => mirroredKey(`a:${i}`, null)));
    let turns = 0;
    const turn = () => {
      turns += 1;
      if (turns < 1_000) setImmediate(turn);
    };
    setImmediate(turn);
    const page = await mirror.reads.documents(listOf('a', { filter: 'none' }), NOON);
    expect(page).toMatchObject({ documents: [], partial: true, next: expect.any(String) });
    expect(turns).toBeGreaterThan(5);
    await expect(
      mirror.reads.documents(listOf('a', { filter: 'none' }), NOON, AbortSignal.abort()),
    ).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('return matching and missing ids', async () => {
    const { mirror } = openTestMirror();
    mirror.put(Array.from({ length: 1_500 }, (_, i) => mirroredKey(`a:${i}`, NOON + HOUR)));
    const first = await mirror.reads.matchingIds(
      { collection: 'a', filter: { state: 'live' }, after: null },
      NOON,
    );
    expect(first.ids).toHaveLength(1_000);
    const rest = await mirror.reads.matchingIds(
      { collection: 'a', filter: { state: 'live' }, after: first.next },
      NOON,
    );
    expect(new Set([...first.ids, ...rest.ids]).size).toBe(1_500);
    expect(rest.next).toBeNull();
    expect((await mirror.reads.missing('a', ['a:1', 'b:1'])).missing).toEqual(['b:1']);
  });

  it('[X1] explain why a key expires or not', async () => {
    const { mirror } = openTestMirror();
    mirror.put([mirroredKey('a:1', NOON + HOUR), mirroredKey('a:2', null), mirroredKey('a:3', NOON - 1)]);
    expect((await mirror.reads.explain('a', 'a:1', NOON)).sentence).toMatch(/^The server removes it at /);
    expect(await mirror.reads.explain('a', 'a:2', NOON)).toMatchObject({ state: 'never', waitsFor: null });
    expect(await mirror.reads.explain('a', 'a:3', NOON)).toMatchObject({
      state: 'overdue',
      waitsFor: 'reaper',
    });
    await expect(mirror.reads.explain('a', 'b:1', NOON)).rejects.toMatchObject({
      code: 'DOCUMENT_NOT_FOUND',
    });
  });
});

describe('a change that cannot be written', () => {
  it('is not applied, leaves the counts true, and makes the mirror stale', async () => {
    const { mirror, clock } = openTestMirror();
    mirror.put([mirroredKey('a:1', NOON)]);
    clock.advance(250);
    const unreadable = { ...mirroredKey('a:3', NOON), type: JSON.parse('{}') };
    expect(() => mirror.put([mirroredKey('a:2', NOON), unreadable])).toThrow(TypeError);
    expect(mirror.state.is).toBe('stale');
    expect((await mirror.reads.summaries(null, NOON))[0]).toMatchObject({ documents: 1, withDeadline: 1 });
    mirror.put([mirroredKey('a:2', NOON)]);
    expect((await mirror.reads.summaries(null, NOON))[0]).toMatchObject({ documents: 2, withDeadline: 2 });
  });
});

describe('the file of a mirror', () => {
  it('keeps everything across a restart, readable by its owner only', async () => {
    const opened = openTestMirror();
    opened.mirror.put([mirroredKey('a:1', NOON + HOUR, { bytes: 9 }), mirroredKey('a:2', NOON)]);
    opened.mirror.depart([departure('a:2')]);
    const { reads } = opened.mirror;
    const span = { from: NOON - HOUR, to: NOON + 2 * HOUR, buckets: 3 };
    const before = [
      await reads.summaries(null, NOON),
      await reads.timeline(span, NOON),
      await reads.expired({ limit: 9 }, NOON),
      await reads.documents(listOf('a'), NOON),
    ];
    expect(statSync(opened.file).mode & 0o777).toBe(0o600);
    const again = opened.reopen();
    expect([
      await again.reads.summaries(null, NOON),
      await again.reads.timeline(span, NOON),
      await again.reads.expired({ limit: 9 }, NOON),
      await again.reads.documents(listOf('a'), NOON),
    ]).toEqual(before);
    expect(again.state).toMatchObject({ is: 'stale', since: NOON });
    expect(() => DeadlineMirror.open({ file: opened.file, clock: opened.clock, log: silent })).toThrow(
      expect.objectContaining({ code: 'STORE_IN_USE' }),
    );
  });

  it('is created again if it is not a database, with a warning', async () => {
    const opened = openTestMirror();
    opened.mirror.put([mirroredKey('a:1', NOON)]);
    opened.mirror.close();
    writeFileSync(opened.file, 'no database'.repeat(1_000));
    opened.mirror = DeadlineMirror.open({ file: opened.file, clock: opened.clock, log: silent });
    expect(opened.mirror.hasCollection('a')).toBe(false);
    expect(opened.mirror.state).toMatchObject({ is: 'stale' });
    opened.mirror.put([mirroredKey('b:1', NOON)]);
    expect(opened.reopen().hasCollection('b')).toBe(true);
    expect(existsSync(`${opened.file}-unusable`)).toBe(false);
  });

  it('is created again if a later version wrote it, and keeps its history', async () => {
    const opened = openTestMirror();
    opened.mirror.put([mirroredKey('a:1', NOON), mirroredKey('a:2', NOON)]);
    opened.mirror.depart([departure('a:1')]);
    opened.mirror.close();
    const db = new Sqlite(opened.file);
    db.pragma('user_version = 1000');
    db.close();
    opened.mirror = DeadlineMirror.open({ file: opened.file, clock: opened.clock, log: silent });
    expect(opened.mirror.collectionNames()).toEqual([]);
    const { expired } = await opened.mirror.reads.expired({ limit: 9 }, NOON);
    expect(expired.map(({ _id }) => _id)).toEqual(['a:1']);
  });

  it('is created again if its pages were damaged and its last process did not close it', () => {
    const opened = openTestMirror();
    opened.mirror.put(Array.from({ length: 5_000 }, (_, i) => mirroredKey(`a:${i}`, NOON + i)));
    opened.mirror.close();
    const db = new Sqlite(opened.file);
    db.exec(`UPDATE mirror_values SET value = 1 WHERE key = 'isOpen'`);
    db.close();
    const bytes = readFileSync(opened.file);
    bytes.fill(0xff, 60_000, 120_000);
    writeFileSync(opened.file, bytes);
    opened.mirror = DeadlineMirror.open({ file: opened.file, clock: opened.clock, log: silent });
    expect(opened.mirror.collectionNames()).toEqual([]);
    opened.mirror.put([mirroredKey('b:1', NOON)]);
  });

  it('contains keys put 250 ms before, even if its process is killed', () => {
    const opened = openTestMirror();
    opened.mirror.put([mirroredKey('a:1', NOON)]);
    opened.clock.advance(250);
    opened.mirror.put([mirroredKey('b:1', NOON)]);
    const copy = join(temporaryFolder(), 'copy.sqlite');
    for (const suffix of ['', '-wal']) copyFileSync(opened.file + suffix, copy + suffix);
    const mirror = DeadlineMirror.open({ file: copy, clock: opened.clock, log: silent });
    onTestFinished(() => mirror.close());
    expect(mirror.collectionNames()).toEqual(['a']);
    expect(mirror.state.is).toBe('stale');
  });

  it('is emptied of its keys by clear, which keeps the history', async () => {
    const { mirror } = openTestMirror();
    mirror.put([mirroredKey('a:1', NOON), mirroredKey('a:2', NOON)]);
    mirror.depart([departure('a:1')]);
    mirror.clear();
    expect(mirror.collectionNames()).toEqual([]);
    expect(mirror.deadlineOf('a:2')).toBeUndefined();
    expect((await mirror.reads.expired({ limit: 9 }, NOON)).expired).toHaveLength(1);
    mirror.put([mirroredKey('a:2', NOON)]);
    expect((await mirror.reads.summaries(null, NOON))[0]?.documents).toBe(1);
  });
});

function listOf(
  collection: string,
  query: Partial<Parameters<DeadlineMirror['reads']['documents']>[0]> = {},
): Parameters<DeadlineMirror['reads']['documents']>[0] {
  return { collection, limit: 100, sort: '_id', order: 'asc', includeExpired: false, ...query };
}
