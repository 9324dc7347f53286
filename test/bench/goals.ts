import { type Results, ratios, type Summary, summaryOf, type Which } from './results.ts';

/** One row of the table. */
export interface Goal {
  what: string;
  /** Number of documents; null if the figure does not depend on it. */
  documents: number | null;
  unit: '×' | 'ms' | 's' | '/s' | 'MB' | 'kB';
  /** Null for a figure that is for comparison only. */
  goal: { is: '≥' | '≤'; value: number } | null;
  measured: Summary | null;
}

const V4: Which = { keys: 'v4', order: 'random', retention: 0 };
const V7: Which = { keys: 'v7', order: 'insertion', retention: 0 };
const MB = 1_000_000;
const HOLD_MS = 8;
/** A round of the reaper, however many documents expire in it. */
const ROUND_MS = 2;
/** Until count, overdue, actuals and events agree, however many documents expire at once. */
const AGREED_MS = 20;

const atLeast = (value: number) => ({ is: '≥', value }) as const;
const atMost = (value: number) => ({ is: '≤', value }) as const;

/** Returns every row of the table, at the largest size that was run of it. */
export function goalsOf(results: Results): Goal[] {
  const peers = results.largest('ours-life', 'redis-life');
  const large = results.largest('ours-life', 'raw-life');
  const small = Math.min(
    ...results.all.filter(({ run }) => run.story === 'ours-life').map(({ run }) => run.options.documents),
  );
  const beside = results.largest('ours-lag');
  const of = (story: string, figure: string, documents: number, which: Which) =>
    results.values(story, figure, { ...which, documents });
  const ratio = (
    what: string,
    figure: string,
    [peer, theirs]: readonly [string, string],
    goal: Goal['goal'],
    {
      documents = peers,
      which = V4,
      their = which,
    }: { documents?: number; which?: Which; their?: Which } = {},
  ): Goal => ({
    what,
    documents,
    unit: '×',
    goal,
    measured: summaryOf(
      ratios(of('ours-life', figure, documents, which), of(peer, theirs, documents, their)),
    ),
  });
  const plain = (
    what: string,
    story: string,
    figure: string,
    goal: Goal['goal'],
    {
      documents = large,
      unit = 'ms',
      per = 1,
      which = {},
    }: { documents?: number; unit?: Goal['unit']; per?: number; which?: Which } = {},
  ): Goal => ({
    what,
    documents,
    unit,
    goal,
    measured: summaryOf(of(story, figure, documents, which).map(value => value / per)),
  });
  const difference = (
    what: string,
    story: string,
    [busy, idle]: readonly [string, string],
    most: number,
  ): Goal => {
    const after = of(story, busy, beside, {});
    const before = of(story, idle, beside, {});
    return {
      what,
      documents: beside,
      unit: 'ms',
      goal: atMost(most),
      measured: summaryOf(after.map((value, i) => value - (before[i] ?? Number.NaN))),
    };
  };
  const within = (
    what: string,
    story: string,
    [busy, idle]: readonly [string, string],
    goal: Goal['goal'],
  ): Goal => ({
    what,
    documents: beside,
    unit: '×',
    goal,
    measured: summaryOf(ratios(of(story, busy, beside, {}), of(story, idle, beside, {}))),
  });
  const eventsOf = { documents: results.largest('ours-events'), unit: '/s' } as const;
  const inOrder = { which: V7, documents: large };
  return [
    ratio(
      'ingest, random keys, against raw',
      'ingestPerSecond',
      ['raw-life', 'ingestPerSecond'],
      atLeast(0.8),
    ),
    ratio('ingest, UUIDv7, against raw', 'ingestPerSecond', ['raw-life', 'ingestPerSecond'], atLeast(0.8), {
      which: V7,
    }),
    ratio(
      'first ingest of a process, random keys, against raw',
      'ingestPerSecond',
      ['raw-life', 'ingestPerSecond'],
      atLeast(0.7),
      { documents: small },
    ),
    ratio(
      'first ingest of a process, UUIDv7, against raw',
      'ingestPerSecond',
      ['raw-life', 'ingestPerSecond'],
      atLeast(0.7),
      { documents: small, which: V7 },
    ),
    ratio(
      'ingest, UUIDv7, against Redis in memory',
      'ingestPerSecond',
      ['redis-life', 'ingestPerSecond'],
      atLeast(0.5),
      { which: V7, their: { keys: 'v7' } },
    ),
    ratio('ingest against PostgreSQL', 'ingestPerSecond', ['postgres-life', 'ingestPerSecond'], null),
    ratio('ingest against NeDB', 'ingestPerSecond', ['nedb-ingest', 'ingestPerSecond'], atLeast(5), {
      documents: results.largest('ours-life', 'nedb-ingest'),
      their: {},
    }),
    {
      what: 'ingest against Keyv on SQLite',
      documents: results.largest('keyv-ingest'),
      unit: '×',
      goal: null,
      measured: summaryOf(
        ratios(
          of('ours-life', 'ingestPerSecond', peers, V4),
          results.values('keyv-ingest', 'ingestPerSecond'),
        ),
      ),
    },
    ratio(
      'drain against Redis’ active expiry',
      'drainPerSecond',
      ['redis-life', 'drainPerSecond'],
      atLeast(1),
      { their: { keys: 'v4' } },
    ),
    ratio('drain against PostgreSQL’s DELETE', 'drainPerSecond', ['postgres-life', 'drainPerSecond'], null),
    plain('drain until every reader agrees', 'ours-life', 'agreedMs', atMost(AGREED_MS), { which: V4 }),
    plain('a round of the drain holds the writer, p99', 'ours-life', 'batchP99Ms', atMost(ROUND_MS), {
      documents: peers,
      which: V4,
    }),
    plain('a step of the sweep holds the writer, p99', 'ours-life', 'sweepP99Ms', atMost(HOLD_MS), {
      documents: peers,
      which: V4,
    }),
    plain('events of a cliff, read by pages', 'ours-events', 'listedPerSecond', atLeast(300_000), eventsOf),
    plain('the same before they are listed', 'ours-events', 'unlistedPerSecond', atLeast(300_000), eventsOf),
    plain('events of a cliff over HTTP', 'ours-events', 'streamedPerSecond', atLeast(50_000), eventsOf),
    ratio('reclaim against one raw DELETE', 'reclaimPerSecond', ['raw-life', 'reclaimPerSecond'], atLeast(2)),
    ratio(
      'reclaim in insertion order against one raw DELETE',
      'reclaimPerSecond',
      ['raw-life', 'reclaimPerSecond'],
      atLeast(0.8),
      { which: V7 },
    ),
    ratio(
      'reclaim with 24 h of retention against without',
      'reclaimPerSecond',
      ['ours-life', 'reclaimPerSecond'],
      atLeast(0.9),
      { which: { ...V4, retention: 86_400 }, their: V4 },
    ),
    plain('event of an expiry after its deadline at 5,000 a second, p99', 'ours-lag', 'lagP99Ms', atMost(5), {
      documents: beside,
    }),
    plain('the same of Redis, p99', 'redis-lag', 'lagP99Ms', null, { documents: beside }),
    within(
      'get while draining, p99 against idle',
      'ours-foreground',
      ['drainGetP99Ms', 'idleGetP99Ms'],
      atMost(1.2),
    ),
    difference('put while draining, p99 above idle', 'ours-foreground', ['drainPutP99Ms', 'idlePutP99Ms'], 1),
    plain('timeline of 300 buckets, any span', 'ours-life', 'timelineMs', atMost(16), { which: V7 }),
    {
      what: `timeline, against ${small.toLocaleString('en')} documents`,
      documents: large,
      unit: '×',
      goal: atMost(1.5),
      measured: summaryOf([
        (summaryOf(of('ours-life', 'timelineMs', large, V7))?.median ?? Number.NaN) /
          (summaryOf(of('ours-life', 'timelineMs', small, V7))?.median ?? Number.NaN),
      ]),
    },
    {
      ...ratio(
        'GROUP BY of raw against the timeline',
        'timelineMs',
        ['raw-life', 'groupByMs'],
        atLeast(50),
        inOrder,
      ),
      measured: summaryOf(
        ratios(of('raw-life', 'groupByMs', large, V7), of('ours-life', 'timelineMs', large, V7)),
      ),
    },
    plain('change expireAfter of all', 'ours-life', 'changeMs', atMost(20), { which: V7 }),
    plain('preview of a change of expireAfter', 'ours-life', 'previewMs', atMost(20), { which: V7 }),
    ratio(
      'preview of a new index against raw json_extract',
      'previewNewPerSecond',
      ['raw-life', 'scanPerSecond'],
      atLeast(0.7),
      inOrder,
    ),
    {
      what: 'build of an index against ingest',
      documents: beside,
      unit: '×',
      goal: atLeast(0.5),
      measured: summaryOf(
        ratios(
          of('ours-build', 'buildPerSecond', beside, {}),
          of('ours-life', 'ingestPerSecond', beside, V4),
        ),
      ),
    },
    within(
      'get while building, p99 against idle',
      'ours-build',
      ['buildGetP99Ms', 'idleGetP99Ms'],
      atMost(1.5),
    ),
    difference('put while building, p99 above idle', 'ours-build', ['buildPutP99Ms', 'idlePutP99Ms'], 2),
    plain('open, to the first answer', 'ours-life', 'openMs', atMost(300), { which: V7 }),
    plain('memory of the served host', 'ours-life', 'rss', atMost(300), { unit: 'MB', per: MB, which: V7 }),
    ratio('disk against raw', 'bytes', ['raw-life', 'bytes'], atMost(1.3)),
    {
      what: 'file after ten fills and drains, against after three',
      documents: results.largest('ours-cycles'),
      unit: '×',
      goal: atMost(1.05),
      measured: summaryOf(results.values('ours-cycles', 'growth')),
    },
    {
      ...plain('npm start again, to ready', 'ours-start', 'readyMs', atMost(2_000), { documents: 0 }),
      documents: null,
    },
    {
      ...plain('from there to a usable window', 'ours-start', 'windowMs', atMost(1_500), {
        documents: 0,
      }),
      documents: null,
    },
    {
      ...plain('renderer bundle, gzip, before lazy parts', 'ours-start', 'bundleBytes', atMost(450), {
        documents: 0,
        unit: 'kB',
        per: 1_000,
      }),
      documents: null,
    },
  ];
}

export function isMet({ goal, measured }: Goal): boolean | null {
  if (goal === null || measured === null) return null;
  return goal.is === '≥' ? measured.median >= goal.value : measured.median <= goal.value;
}
