import { expect, it } from 'vitest';
import { reaperProgress } from '../../../../../renderer/features/timeline/model/reaper-progress.ts';
import { answerWith, HOUR, MINUTE, NOW, SECOND } from '../build.ts';

const running = { state: 'running', since: null } as const;
const late = (overdue: number, oldestOverdueAt: number) => ({ overdue, oldestOverdueAt });

it('the progress has a gap between the cutoff and now while documents are overdue', () => {
  const answer = answerWith({ cutoff: NOW - 1_600, ...late(6, NOW - 1_600) });
  expect(reaperProgress(answer, running, NOW).frontier).toBe(NOW - 1_600);
});

it('the progress has no gap with an old cutoff and no overdue documents', () => {
  expect(reaperProgress(answerWith({ cutoff: NOW - HOUR }), running, NOW).frontier).toBe(NOW);
});

it('the gap begins at the oldest overdue document at the earliest', () => {
  const answer = answerWith({ cutoff: NOW - HOUR, ...late(1, NOW - 20) });
  expect(reaperProgress(answer, running, NOW).frontier).toBe(NOW - 20);
});

it('the gap begins at the oldest overdue document before the first pass', () => {
  const answer = answerWith({ cutoff: null, ...late(9, NOW - HOUR) });
  expect(reaperProgress(answer, running, NOW).frontier).toBe(NOW - HOUR);
});

it('the progress has no gap for other series while one is paused', () => {
  const series = [
    { id: 'a', label: 'a', pausedSince: null, overdue: 0 },
    { id: 'c', label: 'carts', pausedSince: NOW - 6 * MINUTE, overdue: 307 },
  ];
  const answer = answerWith({ series, cutoff: NOW - SECOND, ...late(307, NOW - 6 * MINUTE) });
  const progress = reaperProgress(answer, running, NOW);
  expect(progress.frontier).toBe(NOW);
  expect([0, 1].map(progress.reapedTo)).toEqual([NOW, NOW - 6 * MINUTE]);
});

it('the progress stays at the cutoff of a stopped reaper while time passes', () => {
  const answer = answerWith({ cutoff: NOW - MINUTE });
  const progress = reaperProgress(answer, { state: 'paused', since: NOW - MINUTE }, NOW + HOUR);
  expect(progress).toMatchObject({ frontier: NOW - MINUTE, stopped: true });
  const never = answerWith({ cutoff: null });
  expect(reaperProgress(never, { state: 'failing', since: NOW - HOUR }, NOW).frontier).toBe(NOW - HOUR);
});

it('the progress is never after now', () => {
  expect(reaperProgress(answerWith({ cutoff: NOW + HOUR }), running, NOW).frontier).toBe(NOW);
  expect(reaperProgress(null, running, NOW).frontier).toBe(NOW);
});
