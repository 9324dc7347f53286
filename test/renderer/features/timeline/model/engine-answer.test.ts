import { expect, it } from 'vitest';
import {
  timelineAnswer,
  timelineRequest,
} from '../../../../../renderer/features/timeline/model/engine-answer.ts';
import { MINUTE, NOW } from '../build.ts';

it('the timeline requests the buckets of its range', () => {
  const range = { from: NOW, to: NOW + 60 * MINUTE, bucketMs: MINUTE };
  expect(timelineRequest(range)).toEqual({ from: NOW, to: NOW + 60 * MINUTE, buckets: 60 });
  expect(timelineRequest(range, 'sessions')).toMatchObject({ collection: 'sessions' });
});

it('counts are placed by the position of their series, with 0 for missing ones', () => {
  const answer = timelineAnswer({
    ...{
      now: NOW,
      revision: 7,
      cutoff: NOW - 5,
      overdue: 3,
      oldestOverdueAt: NOW - 5,
      actionDueAt: NOW - 5,
      nextDeadlineAt: NOW + 1,
    },
    ...{ earliestAt: NOW - 9, latestAt: NOW + 9, recounting: true, bucketMs: MINUTE },
    series: [
      { id: 'a', label: 'absolute_14d', paused: null, overdue: 0 },
      { id: 'b', label: 'idle_2h', paused: { by: 'maya', since: NOW - 5 }, overdue: 3 },
    ],
    buckets: [
      { fromAt: NOW, toAt: NOW + MINUTE, expired: 2, due: 4, byIndex: { b: { expired: 2, due: 4 } } },
    ],
    cliffs: [
      { at: NOW + 1, count: 4, series: 'b' },
      { at: NOW + 2, count: 9, series: 'dropped' },
    ],
  });
  expect(answer.buckets).toEqual([{ fromAt: NOW, expired: [0, 2], due: [0, 4] }]);
  expect(answer.series[1]).toEqual({ id: 'b', label: 'idle_2h', pausedSince: NOW - 5, overdue: 3 });
  expect(answer.cliffs).toEqual([{ at: NOW + 1, count: 4, series: 1 }]);
  expect(answer).toMatchObject({ cutoff: NOW - 5, overdue: 3, recounting: true, earliestAt: NOW - 9 });
});
