import { describe, expect, it } from 'vitest';
import { keysHere } from '../../../../../renderer/components/controls/platform.ts';
import {
  type Command,
  listed,
  matchCommands,
  stretchesOf,
} from '../../../../../renderer/features/frame/palette/command.ts';

const command = (group: Command['group'], label: string, detail = ''): Command => ({
  id: label + detail,
  group,
  label,
  detail,
  icon: 'plus',
  run: () => {},
});

const commands = [
  command('Actions', 'Run a pass now'),
  command('Actions', 'Pause the reaper', 'whole store'),
  command('Go to', 'pauses'),
  command('Go to', 'sessions', '20 documents'),
];
const labels = (typed: string) => matchCommands(commands, typed).map(({ label }) => label);

describe('the palette', () => {
  it('lists everything without a search text, pages first: Enter alone changes no data', () => {
    expect(labels(' ')).toEqual(['pauses', 'sessions', 'Run a pass now', 'Pause the reaper']);
  });

  it('finds commands with every word in label or detail, in any order and case', () => {
    expect(labels('STORE pause')).toEqual(['Pause the reaper']);
  });

  it('lists commands that begin with the word first, actions before pages', () => {
    expect(labels('pa')).toEqual(['Pause the reaper', 'Run a pass now', 'pauses']);
  });
});

it('lists commands of the page first, and those of the current collection before others', () => {
  const far = { ...command('Actions', 'Export…', 'carts'), near: false };
  const near = { ...command('Actions', 'Export…', 'sessions'), near: true };
  const page = command('This page', 'Export the feed…');
  expect(matchCommands([far, near, page], 'exp').map(({ id }) => id)).toEqual([page.id, near.id, far.id]);
  expect(matchCommands([far, near, page], '').map(({ id }) => id)).toEqual([page.id, near.id, far.id]);
});

it('lists a few pages and all commands of the page without a search text', () => {
  const places = Array.from({ length: 20 }, (_, i) => command('Go to', `place ${i}`));
  const ofPage = Array.from({ length: 9 }, (_, i) => command('This page', `do ${i}`));
  const all = matchCommands([...ofPage, ...places], '');
  expect(listed(all, '').map(({ group }) => group)).toEqual([
    ...Array.from({ length: 6 }, () => 'Go to'),
    ...Array.from({ length: 9 }, () => 'This page'),
  ]);
  expect(listed(matchCommands(places, 'place'), 'place')).toHaveLength(20);
});

it('marks the search text at any position', () => {
  const marked = (text: string, typed: string) =>
    stretchesOf(text, typed)
      .map(({ text: part, hit }) => (hit ? `[${part}]` : part))
      .join('');
  expect(marked('Resume paused index', 'pau')).toBe('Resume [pau]sed index');
  expect(marked('Pause index idle_2h', 'idle pause')).toBe('[Pause] index [idle]_2h');
  expect(marked('İstanbul', 'stan')).toBe('İstanbul');
  expect(marked('', 'x')).toBe('');
});

it('shows keys as on this machine', () => {
  expect(keysHere('Ctrl ⇧ P', true)).toBe('⌘ ⇧ P');
  expect(keysHere('Alt ←', true)).toBe('⌥ ←');
  expect(keysHere('Ctrl ⇧ P', false)).toBe('Ctrl ⇧ P');
  expect(keysHere('T', true)).toBe('T');
});
