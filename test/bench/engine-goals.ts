import type { Goal } from './goals.ts';
import { type Results, ratios, summaryOf } from './results.ts';

type Bound = Goal['goal'];

const atLeast = (value: number): Bound => ({ is: '≥', value });
const atMost = (value: number): Bound => ({ is: '≤', value });

/** Returns the rows of the table about Redis, PostgreSQL and etcd. */
export function engineGoalsOf(results: Results): Goal[] {
  const row = (
    story: string,
    what: string,
    unit: Goal['unit'],
    goal: Bound,
    values: (of: (figure: string) => number[]) => readonly number[],
  ): Goal => {
    const documents = results.largest(story);
    const of = (figure: string) => results.values(story, figure, { documents });
    return { what, documents, unit, goal, measured: summaryOf(values(of)) };
  };
  const plain = (story: string, what: string, figure: string, goal: Bound, per = 1): Goal =>
    row(story, what, per === 1_000 ? 's' : 'ms', goal, of => of(figure).map(value => value / per));
  const ratio = (story: string, what: string, [above, below]: readonly [string, string], goal: Bound): Goal =>
    row(story, what, '×', goal, of => ratios(of(above), of(below)));
  const redis = 'engines-redis';
  const postgres = 'engines-postgres';
  const etcd = 'engines-etcd';
  return [
    plain(redis, 'Redis: all keys mirrored', 'mirrorMs', atMost(30), 1_000),
    plain(redis, 'the same by a loop of SCAN and PEXPIRETIME into a table', 'loopMs', null, 1_000),
    row(
      redis,
      'p99 of another Redis client meanwhile, above that beside a process with the same CPU',
      'ms',
      atMost(1),
      of => of('clientP99Ms').map((value, i) => value - (of('burnerP99Ms')[i] ?? Number.NaN)),
    ),
    plain(redis, 'timeline of 300 buckets of the mirrored keys', 'timelineMs', atMost(20)),
    plain(postgres, 'PostgreSQL: estimate of a new index', 'estimateMs', null),
    plain(postgres, 'exact count of its effect', 'countMs', null, 1_000),
    plain(postgres, 'timeline of 300 buckets of the table', 'timelineMs', null),
    ratio(
      postgres,
      'reaping, against the best batch loop by hand',
      ['reaperPerSecond', 'batchesPerSecond'],
      atLeast(0.9),
    ),
    ratio(postgres, 'reaping, against one DELETE', ['reaperPerSecond', 'deletePerSecond'], null),
    ratio(
      postgres,
      'p99 of an UPDATE while reaping, against that beside the batch loop',
      ['reaperP99Ms', 'batchesP99Ms'],
      atMost(1.2),
    ),
    ratio(postgres, 'the same, against an idle table', ['reaperP99Ms', 'idleP99Ms'], null),
    plain(postgres, 'a partition of up to a million rows dropped', 'partitionMs', atMost(50)),
    plain(etcd, 'etcd: the deadlines of all leases read', 'mirrorMs', null, 1_000),
    plain(etcd, 'the same by TimeToLive of each, 16 at a time', 'loopMs', null, 1_000),
    plain(etcd, 'timeline of 300 buckets of the leases', 'timelineMs', atMost(20)),
  ];
}
