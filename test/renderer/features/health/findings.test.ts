import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingsAbout, findingsOf } from '../../../../renderer/features/health/findings/all.ts';
import { dismiss, isDismissed, stillFound } from '../../../../renderer/features/health/findings/dismissed.ts';
import { balanceOf } from '../../../../renderer/features/health/findings/falling-behind.ts';
import { needsConfigure, SEVERITIES } from '../../../../renderer/features/health/findings/finding.ts';
import {
  formatNothingFound,
  formatPercent,
  roundUp,
} from '../../../../renderer/features/health/findings/format-finding.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import { NEVER_REASONS } from '../../../../shared/model/reference-time.ts';
import { collection, DAY, facts, hold, index, MINUTE, NOW, never, point } from './build.ts';

/** An index whose documents without its deadline have no other deadline either. */
const withIndex = (change: Parameters<typeof index>[0]) => {
  const one = index(change);
  const sessions = collection('sessions', {
    documents: one.documents + one.never.count,
    withDeadline: one.documents,
  });
  return facts({ collections: [sessions], indexes: new Map([['sessions', [one]]]) });
};
const ids = (given: Parameters<typeof facts>[0]) => findingsOf(facts(given)).map(({ id }) => id);

test('a healthy store has no findings', () => {
  expect(findingsOf(facts())).toEqual([]);
});

test('the sentence without findings depends on the reaper’s state', () => {
  expect(formatNothingFound(null, 'running')).toBe('No findings: due documents are removed in time.');
  expect(formatNothingFound('carts', 'paused')).toBe('No findings in carts.');
  expect(formatNothingFound(null, 'off')).toMatch(/Due documents are hidden and not removed: .* read-only/);
});

describe('never expiring', () => {
  const found = findingsOf(
    withIndex({
      never: {
        count: 3_102,
        reasons: [never('not a date', 684), never('missing field', 2_418), never('pinned', 50)],
      },
    }),
  );

  test('counts documents by reason, largest first, without intended reasons', () => {
    expect(found).toMatchObject([
      {
        title: '3,102 in sessions never expire',
        sentence: 'By idle_2h, 2,418 have no createdAt, 684 hold text in createdAt that is not a date.',
        weight: 3_102,
      },
    ]);
  });

  test('links to the documents of the largest reason', () => {
    expect(found[0]?.fixes[0]).toEqual({
      label: 'List the 2,418',
      href: '#/collections/sessions/documents?index=idle_2h&reason=missing+field',
    });
  });

  test('[D3] offers another format if most text is no date, but not for a few values, numbers or expressions', () => {
    const labels = (change: Parameters<typeof index>[0]) =>
      findingsOf(withIndex(change)).flatMap(({ fixes }) => fixes.map(({ label }) => label));
    const FORMAT = 'Preview with another date format';
    const unread = { count: 900, reasons: [never('not a date', 900)] };
    expect(labels({ documents: 100, never: unread })).toContain(FORMAT);
    expect(labels({ documents: 1_000, never: unread })).not.toContain(FORMAT);
    expect(
      labels({ documents: 100, never: { count: 900, reasons: [never('missing field', 900)] } }),
    ).not.toContain(FORMAT);
    const source = { kind: 'expression' as const, expression: 'timestamp(doc.a)' };
    expect(labels({ documents: 100, never: unread, source })).not.toContain(FORMAT);
  });

  test('is not reported for documents that other indexes govern', () => {
    const bgl = index({
      name: 'Date_30d',
      documents: 0,
      never: { count: 1_839, reasons: [never('not a date', 1_839)] },
    });
    const other = index({ name: 'Time_30d', documents: 1_839 });
    const governed = (withDeadline: number) =>
      findingsOf(
        facts({
          collections: [collection('sessions', { documents: 1_839, withDeadline })],
          indexes: new Map([['sessions', [bgl, other]]]),
          acted: new Map([['sessions', { Date_30d: 1, Time_30d: 1 }]]),
        }),
      );
    expect(governed(1_839)).toEqual([]);
    expect(governed(1_800)).toMatchObject([{ title: '39 in sessions never expire', weight: 39 }]);
    expect(governed(1_800)[0]?.sentence).toContain(
      'At least 1,800 of them have a deadline from another rule.',
    );
  });

  test('leaves out an index that is being built', () => {
    const building = {
      state: 'building',
      never: { count: 9, reasons: [never('missing field', 9)] },
    } as const;
    expect(
      findingsOf(withIndex({ ...building, never: { count: 9, reasons: [...building.never.reasons] } })),
    ).toEqual([]);
  });
});

describe('wrong unit', () => {
  test('[D4] links to a form with the other unit and the same duration', () => {
    const [found] = findingsOf(
      withIndex({ documents: 40, never: { count: 960, reasons: [never('wrong unit suspected', 960)] } }),
    );
    expect(found).toMatchObject({ id: 'unit/sessions/idle_2h', severity: 'urgent' });
    expect(found?.sentence).toContain(
      'idle_2h reads seconds; 960 values of createdAt, 96 %, are only plausible in milliseconds',
    );
    expect(found?.fixes[0]).toEqual({
      label: 'Preview in milliseconds',
      href: '#/collections/sessions/ttl-indexes/new?field=createdAt&unit=milliseconds&expireAfter=7200',
    });
  });

  test('[P1] offers only the list without the permission to create an index', () => {
    const [found] = findingsOf(
      withIndex({ documents: 40, never: { count: 960, reasons: [never('wrong unit suspected', 960)] } }),
    );
    expect(found?.fixes.filter(fix => !needsConfigure(fix)).map(({ label }) => label)).toEqual(['List them']);
  });

  test('[D4] is not reported for values that are wrong otherwise, expressions, and an index that is being built', () => {
    const suspected = { count: 960, reasons: [never('wrong unit suspected', 960)] };
    expect(
      ids(withIndex({ documents: 40, never: { count: 960, reasons: [never('missing field', 960)] } })),
    ).not.toContain('unit/sessions/idle_2h');
    expect(
      ids(withIndex({ documents: 40, never: { count: 960, reasons: [never('wrong unit suspected', 0)] } })),
    ).not.toContain('unit/sessions/idle_2h');
    expect(
      ids(
        withIndex({
          never: suspected,
          source: { kind: 'expression', expression: 'doc.createdAt + duration("2h")' },
        }),
      ),
    ).not.toContain('unit/sessions/idle_2h');
    expect(ids(withIndex({ documents: 40, never: suspected, state: 'building' }))).toEqual([]);
    expect(ids(withIndex({ documents: 40, never: suspected }))).toContain('unit/sessions/idle_2h');
  });

  test('is a warning for a small share', () => {
    const [found] = findingsOf(
      withIndex({ documents: 9_990, never: { count: 10, reasons: [never('wrong unit suspected', 10)] } }),
    );
    expect(found?.severity).toBe('warning');
    // With the other unit the 9,990 other values would be misread.
    expect(found?.fixes.map(({ label }) => label)).toEqual(['List them']);
    expect(found?.todo).toBe('Correct these values.');
  });
});

test('[A5] nothing is reported as quarantined once the count is 0, whatever reason was read before', () => {
  const before = { count: 0, reasons: [never('quarantined', 38, 'It would still be due.')] };
  expect(ids(withIndex({ quarantined: 0, never: before }))).toEqual([]);
});

test('[A5] quarantined documents are listed, with the error', () => {
  const [found] = findingsOf(
    withIndex({
      quarantined: 38,
      onExpire: { action: 'patch', patch: {} },
      never: { count: 38, reasons: [never('quarantined', 38, 'It would still be due.')] },
    }),
  );
  expect(found).toMatchObject({
    severity: 'urgent',
    title: '38 quarantined in sessions',
    sentence: 'The patch of idle_2h failed for them: It would still be due.',
  });
  expect(found?.fixes.map(({ label }) => label)).toEqual(['List them', 'Edit the patch']);
});

describe('a cliff', () => {
  const at = NOW + 3 * 3_600_000;
  const cliffs = (count: number, when = at) => facts({ cliffs: [{ at: when, count, series: 'sessions' }] });

  test('is reported once per collection, with its documents and a proposed rate', () => {
    const found = findingsOf(
      facts({
        collections: [collection('sessions', { documents: 10_000 })],
        cliffs: [
          { at: at + 1_000, count: 2_000, series: 'sessions' },
          { at, count: 3_600, series: 'sessions' },
        ],
      }),
    );
    expect(found).toMatchObject([
      { id: `cliff/sessions/${at}`, title: 'Cliff in 3 h, sessions', weight: 3_600 },
    ]);
    expect(found[0]?.sentence).toContain('36 % of it');
    expect(found[0]?.fixes[1]).toMatchObject({ action: { is: 'limit', perSecond: 2 } });
  });

  test('is not reported for few documents and past instants', () => {
    expect(findingsOf(cliffs(999))).toEqual([]);
    expect(findingsOf(cliffs(9_999, NOW))).toEqual([]);
  });
});

describe('growth', () => {
  const logs = collection('logs', { documents: 12_000, bytes: 1_200_000, ttlIndexes: 0, withDeadline: 0 });

  test('is reported for a collection without TTL that gains more than a hundredth a day', () => {
    const earlier = new Map([['logs', { at: NOW - DAY / 2, documents: 10_000 }]]);
    const [found] = findingsOf(facts({ collections: [logs], earlier }));
    expect(found?.sentence).toContain('4,000 documents and 400 kB a day');
    expect(found?.fixes[0]).toMatchObject({ href: '#/collections/logs/ttl-indexes/new' });
  });

  test('is not reported for a collection that does not grow, is small or was not measured', () => {
    const still = new Map([['logs', { at: NOW - DAY, documents: 11_999 }]]);
    expect(ids({ collections: [logs], earlier: still })).toEqual([]);
    expect(ids({ collections: [logs] })).toEqual([]);
    const small = { ...logs, documents: 900 };
    expect(
      ids({ collections: [small], earlier: new Map([['logs', { at: NOW - DAY, documents: 0 }]]) }),
    ).toEqual([]);
  });

  test('does not include documents of an import, during and after it', () => {
    const earlier = new Map([['logs', { at: NOW - DAY / 24, documents: 2_000 }]]);
    for (const at of [NOW, NOW - DAY / 48])
      expect(ids({ collections: [logs], earlier, importedAt: new Map([['logs', at]]) })).toEqual([]);
    expect(ids({ collections: [logs], earlier, importedAt: new Map([['logs', NOW - DAY]]) })).toEqual([
      'growing/logs',
    ]);
  });

  test('is not reported for a collection with a TTL index or explicit deadlines', () => {
    const earlier = new Map([['logs', { at: NOW - DAY, documents: 0 }]]);
    for (const change of [{ ttlIndexes: 1 }, { withDeadline: 5 }])
      expect(ids({ collections: [{ ...logs, ...change }], earlier })).toEqual([]);
  });
});

describe('falling behind', () => {
  const late = collection('sessions', {
    overdue: 3_204,
    oldestOverdueAt: NOW - 252_000,
    actionDueAt: NOW - 252_000,
  });
  /** 40 documents are removed and 52 become due each second. */
  const recent = new Map([
    [
      'sessions',
      [0, 1, 2, 3].map(minute =>
        point(NOW - (4 - minute) * MINUTE, { removed: 2_400, overdue: 1_044 + minute * 720 }),
      ),
    ],
  ]);

  test('states both rates, and raises the limit of the index', () => {
    const indexes = new Map([['sessions', [index({ limits: { removalsPerSecond: 40 }, overdue: 3_204 })]]]);
    const [found] = findingsOf(facts({ collections: [late], recent, indexes }));
    expect(found).toMatchObject({ severity: 'urgent', weight: 3_204 });
    expect(found?.sentence).toBe(
      'Removes 40 a second by its limit, 52 become due: 3,204 overdue, oldest 4 m 12 s. The backlog does not shrink at this rate.',
    );
    expect(found?.fixes[0]).toMatchObject({
      action: { is: 'limit', index: 'idle_2h', before: 40, perSecond: 100 },
    });
  });

  test('links to the store’s settings with a limit of the store, and without any', () => {
    const limited = { ...DEFAULT_SETTINGS, removalsPerSecond: 10 };
    const first = (given: Parameters<typeof facts>[0]) =>
      findingsOf(facts({ collections: [late], recent, ...given }))[0];
    expect(first({ settings: limited })?.fixes[0]).toEqual({
      label: 'Raise the limit…',
      href: '#/settings/removal',
    });
    expect(first({})?.fixes[0]).toMatchObject({ label: 'Increase batch time…' });
  });

  test('leaves out the current minute', () => {
    const begun = point(NOW - 20_000, { removed: 40, overdue: 3_204 });
    const points = [...(recent.get('sessions') ?? []), begun];
    expect(balanceOf(points, NOW)).toEqual({ left: 40, cameDue: 52 });
  });

  test('is not reported for a collection that is paused, drains or is barely late', () => {
    expect(ids({ collections: [{ ...late, state: 'paused' }], recent })).toEqual([]);
    expect(
      ids({ collections: [{ ...late, oldestOverdueAt: NOW - 2_000, actionDueAt: NOW - 2_000 }], recent }),
    ).toEqual([]);
    const draining = new Map([
      [
        'sessions',
        [...(recent.get('sessions') ?? [])].reverse().map((p, i) => ({ ...p, at: NOW - (4 - i) * MINUTE })),
      ],
    ]);
    expect(ids({ collections: [late], recent: draining })).toEqual([]);
  });

  test('is not reported for a backlog that became due at once and is being removed', () => {
    const came = (overdue: readonly number[]) =>
      new Map([
        [
          'sessions',
          overdue.map((count, i) =>
            point(NOW - (overdue.length - i) * MINUTE, { removed: 100, overdue: count }),
          ),
        ],
      ]);
    expect(ids({ collections: [late], recent: came([0, 0, 3_500, 3_400]) })).toEqual([]);
    expect(ids({ collections: [late], recent: came([0, 0, 3_400]) })).toEqual([]);
    expect(ids({ collections: [late], recent: came([0, 0, 3_000]) })).toEqual(['behind/sessions']);
  });

  test('property: is reported if and only if more documents become due than are removed', () => {
    const counts = fc.array(fc.record({ removed: fc.nat(9_999), overdue: fc.nat(9_999) }), {
      minLength: 2,
      maxLength: 9,
    });
    fc.assert(
      fc.property(counts, minutes => {
        const points = minutes.map((change, i) => point(NOW + i * MINUTE, change));
        const balance = balanceOf(points, NOW + 60 * MINUTE);
        const grew = (points.at(-1)?.overdue ?? 0) - (points[0]?.overdue ?? 0);
        expect(balance).not.toBeNull();
        expect(Math.sign((balance?.cameDue ?? 0) - (balance?.left ?? 0)) || 0).toBe(Math.sign(grew));
      }),
    );
  });
});

describe('an index that never fired', () => {
  const quiet = new Map([['sessions', { idle_2h: 0 }]]);
  const rolling = { source: { kind: 'lastModified', expireAfter: 3_600 } } as const;

  test('is reported if it is on the last-modified time and its duration has passed', () => {
    const indexes = new Map([['sessions', [index(rolling)]]]);
    const [found] = findingsOf(facts({ indexes, acted: quiet }));
    expect(found).toMatchObject({ id: 'idle/sessions/idle_2h', severity: 'note' });
    expect(found?.sentence).toContain('Created 12 d ago');
  });

  test('is reported if it gives no document a deadline', () => {
    const indexes = new Map([['sessions', [index({ documents: 0, nextDeadlineAt: null })]]]);
    const [found] = findingsOf(facts({ indexes, acted: quiet }));
    expect(found?.sentence).toContain('none of the 1,000 documents');
  });

  test('is not reported if it fired, is new, is paused or was not read', () => {
    const of = (change: Parameters<typeof index>[0], acted = quiet) =>
      findingsOf(facts({ indexes: new Map([['sessions', [index({ ...rolling, ...change })]]]), acted }));
    expect(of({}, new Map([['sessions', { idle_2h: 1 }]]))).toEqual([]);
    expect(of({}, new Map())).toEqual([]);
    expect(of({ createdAt: NOW - MINUTE })).toEqual([]);
    expect(of({ paused: { by: 'omar', since: NOW } })).toEqual([]);
  });
});

describe('pauses and holds', () => {
  const { reaper } = facts();

  test('[R8] a hold is urgent and can be confirmed', () => {
    const [found] = findingsOf(facts({ reaper: { ...reaper, state: 'held', holds: [hold()] } }));
    expect(found).toMatchObject({ severity: 'urgent', title: 'sessions is held for 5 m', weight: 39_000 });
    expect(found?.fixes).toEqual([
      { label: 'Show the index', href: '#/collections/sessions/ttl-indexes' },
      { label: 'Confirm', action: { is: 'confirm', hold: 'h1' } },
    ]);
  });

  test('[R8] a hold of the definition is not reported as a clock jump, nor a clock jump twice', () => {
    const icons = (...holds: ReturnType<typeof hold>[]) =>
      findingsOf(facts({ reaper: { ...reaper, state: 'held', holds } })).map(({ icon }) => icon);
    expect(icons(hold())).toEqual(['held']);
    expect(icons(hold({ cause: 'clock forward', collection: null, index: null }))).toEqual(['skew']);
    expect(icons()).toEqual([]);
  });

  test('[R10] a clock jump is the first finding', () => {
    const jumped = hold({ id: 'c', collection: null, index: null, cause: 'clock backward' });
    const [found] = findingsOf(
      facts({ reaper: { ...reaper, holds: [hold(), jumped] }, windowNow: NOW - DAY }),
    );
    expect(found).toMatchObject({ id: 'held/c', title: 'The clock jumped back', collection: null });
  });

  test('[R6] a pause is reported after 15 minutes', () => {
    const paused = (minutes: number, overdue = 0) =>
      findingsOf(
        facts({
          collections: [collection('carts', { overdue, state: 'paused' })],
          reaper: {
            ...reaper,
            pausedCollections: [{ collection: 'carts', by: 'omar', since: NOW - minutes * MINUTE }],
          },
        }),
      );
    expect(paused(14)).toEqual([]);
    expect(paused(15)).toMatchObject([{ severity: 'note', sentence: 'By omar; nothing is overdue yet.' }]);
    expect(paused(20, 307)).toMatchObject([
      { severity: 'warning', sentence: 'By omar. Overdue, and not removed: 307 documents.', weight: 307 },
    ]);
  });
});

test('a clock difference is reported, unless the engine’s clock is held', () => {
  expect(findingsOf(facts({ windowNow: NOW + 999 }))).toEqual([]);
  expect(findingsOf(facts({ windowNow: NOW - 8_400 }))).toMatchObject([
    { title: 'This machine’s clock is 8.4 s behind', weight: 8_400 },
  ]);
});

test('[X4, V3] storage that is 90 % full is reported', () => {
  const { retentionBytes, logBytes } = DEFAULT_SETTINGS;
  expect(ids({ space: { retainedBytes: retentionBytes * 0.89, logBytes: 0 } })).toEqual([]);
  expect(ids({ space: { retainedBytes: retentionBytes * 0.9, logBytes } })).toEqual(
    ['room/log', 'room/retained'].sort(a => (a === 'room/retained' ? -1 : 1)),
  );
  expect(ids({ space: null })).toEqual([]);
});

describe('findingsOf', () => {
  const reasons = fc.array(
    fc.record({
      reason: fc.constantFrom(...NEVER_REASONS),
      count: fc.nat(9_999),
      examples: fc.constant<string[]>(['a']),
    }),
    { maxLength: 5 },
  );
  const anyIndex = fc
    .record({
      name: fc.constantFrom('a', 'b', 'c'),
      quarantined: fc.nat(5),
      documents: fc.nat(9_999),
      reasons,
    })
    .map(({ reasons: found, ...rest }) => index({ ...rest, never: { count: 1, reasons: found } }));

  test('property: most urgent first, each with its own id, a sentence and a fix', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyIndex, { selector: ({ name }) => name, maxLength: 3 }), indexes => {
        const found = findingsOf(facts({ indexes: new Map([['sessions', indexes]]) }));
        const places = found.map(({ severity }) => SEVERITIES.indexOf(severity));
        expect(places).toEqual([...places].sort((a, b) => a - b));
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
        for (const { sentence, todo, fixes, weight } of found) {
          expect(sentence).toMatch(/\S.*\.$/);
          expect(todo).toMatch(/\.$/);
          expect(fixes.length).toBeGreaterThan(0);
          expect(weight).toBeGreaterThan(0);
          expect(sentence).not.toMatch(/undefined|NaN|null/);
        }
      }),
    );
  });

  test('findingsAbout returns those of the collection and of the store', () => {
    const found = findingsOf(facts({ windowNow: NOW + DAY, reaper: { ...facts().reaper, holds: [hold()] } }));
    expect(findingsAbout(found, 'carts').map(({ id }) => id)).toEqual(['skew']);
    expect(findingsAbout(found, 'sessions')).toHaveLength(2);
    expect(findingsAbout(found, null)).toEqual(found);
  });
});

describe('dismissed', () => {
  const finding = (weight: number) => ({ id: 'a', weight });

  test('property: hidden until its weight grows by half, and again once dismissed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1e9 }), fc.integer({ min: 2, max: 2e9 }), (then, now) => {
        const dismissed = dismiss({}, finding(then));
        expect(isDismissed(finding(now), dismissed)).toBe(now < then * 1.5);
        expect(isDismissed(finding(now), dismiss(dismissed, finding(now)))).toBe(true);
      }),
    );
  });

  test('dismissals of findings that no longer exist are dropped', () => {
    expect(stillFound({ a: 1, b: 2 }, [{ id: 'b' }])).toEqual({ b: 2 });
  });
});

test('formats shares and rounds rates', () => {
  expect([0, 0.0001, 0.179, 0.96, 0.9999, 1].map(formatPercent)).toEqual([
    '0 %',
    '0.1 %',
    '18 %',
    '96 %',
    '99.9 %',
    '100 %',
  ]);
  expect([0.4, 1, 3.6, 40, 78, 100, 101].map(roundUp)).toEqual([1, 1, 5, 50, 100, 100, 200]);
});
