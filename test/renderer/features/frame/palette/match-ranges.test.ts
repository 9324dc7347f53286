import { expect, it } from 'vitest';
import { keysHere } from '../../../../../renderer/components/controls/platform.ts';
import { matchRanges } from '../../../../../renderer/features/frame/palette/match-ranges.ts';

it('the search text is marked at any position', () => {
  const marked = (text: string, typed: string) =>
    matchRanges(text, typed)
      .map(({ text: part, hit }) => (hit ? `[${part}]` : part))
      .join('');
  expect(marked('Resume paused index', 'pau')).toBe('Resume [pau]sed index');
  expect(marked('Pause index idle_2h', 'idle pause')).toBe('[Pause] index [idle]_2h');
  expect(marked('İstanbul', 'stan')).toBe('İstanbul');
  expect(marked('', 'x')).toBe('');
});

it('keys are shown as on this machine', () => {
  expect(keysHere('Ctrl ⇧ P', true)).toBe('⌘ ⇧ P');
  expect(keysHere('Alt ←', true)).toBe('⌥ ←');
  expect(keysHere('Ctrl ⇧ P', false)).toBe('Ctrl ⇧ P');
  expect(keysHere('T', true)).toBe('T');
});
