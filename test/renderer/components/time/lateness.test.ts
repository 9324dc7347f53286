import { expect, it } from 'vitest';
import { isLate } from '../../../../renderer/components/time/lateness.ts';

it.each([
  ['nothing overdue', null, false],
  ['within five seconds, a reaper at work', 4_900, false],
  ['after five seconds', 5_100, true],
  ['[R1] before the look that acts on it', -3_600_000, false],
])('%s', (_, agoMs, expected) => {
  const now = 1_000_000;
  expect(isLate({ actionDueAt: agoMs === null ? null : now - agoMs }, now)).toBe(expected);
});
