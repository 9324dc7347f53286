import { expect, it } from 'vitest';
import { gridShortcuts } from '../../../../renderer/components/data-grid/grid-shortcuts.ts';
import { keyNameOf } from '../../../../renderer/components/shortcuts/key-name.ts';

const NO_MODIFIER = { shiftKey: false, altKey: false, ctrlKey: false, metaKey: false };

/** Presses keys on a grid that moves and toggles, and returns what they did. */
function press(...events: { key: string; shiftKey?: boolean; ctrlKey?: boolean }[]): string[] {
  const done: string[] = [];
  const shortcuts = gridShortcuts({
    move: (by, extend) => done.push(`move ${by}${extend ? ' extend' : ''}`),
    page: (direction, extend) => done.push(`page ${direction}${extend ? ' extend' : ''}`),
    toEnd: end => done.push(`to the ${end}`),
    toggle: extend => done.push(extend ? 'extend' : 'toggle'),
  });
  for (const event of events) {
    const run = shortcuts[keyNameOf({ ...NO_MODIFIER, ...event }, false)];
    if (run === undefined) done.push('none');
    else run();
  }
  return done;
}

it('arrows and J, K move; Shift extends the selection', () => {
  expect(press({ key: 'ArrowDown' }, { key: 'k' }, { key: 'K', shiftKey: true })).toEqual([
    'move 1',
    'move -1',
    'move -1 extend',
  ]);
  expect(press({ key: 'J' })).toEqual(['move 1']);
});

it('Page Up, Page Down, Home and End move, and Space toggles', () => {
  expect(press({ key: 'PageDown', shiftKey: true }, { key: 'End' }, { key: ' ' })).toEqual([
    'page 1 extend',
    'to the last',
    'toggle',
  ]);
  expect(press({ key: ' ', shiftKey: true })).toEqual(['extend']);
});

it('a command that the grid leaves out has no key', () => {
  expect(press({ key: 'Enter' }, { key: 'a', ctrlKey: true }, { key: 'Delete' })).toEqual([
    'none',
    'none',
    'none',
  ]);
});
