import { expect, it } from 'vitest';
import { isLate } from '../../../renderer/components/lateness.ts';

it.each([
  ['nothing overdue', null, null, false],
  ['within five seconds, a reaper at work', 4_900, null, false],
  ['after five seconds', 5_100, null, true],
  ['every minute, within two passes', 119_000, 60_000, false],
  ['every minute, after two passes', 121_000, 60_000, true],
  ['every second, five seconds still count', 4_000, 1_000, false],
])('%s', (_, agoMs, passEveryMs, expected) => {
  const now = 1_000_000;
  expect(isLate({ oldestOverdueAt: agoMs === null ? null : now - agoMs, passEveryMs }, now)).toBe(expected);
});
