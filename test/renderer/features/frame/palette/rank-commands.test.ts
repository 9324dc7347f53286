import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../../renderer/features/frame/palette/command.ts';
import { listed, rankCommands } from '../../../../../renderer/features/frame/palette/rank-commands.ts';

const command = (
  group: Command['group'],
  label: string,
  detail = '',
  more: Partial<Command> = {},
): Command => ({
  id: `${label} ${detail}`.trim(),
  group,
  label,
  detail,
  icon: 'plus',
  run: () => {},
  ...more,
});

const commands = [
  command('Actions', 'Run a pass now'),
  command('Actions', 'Pause the reaper', 'whole store'),
  command('Go to', 'pauses'),
  command('Go to', 'sessions', '20 documents'),
];
const labels = (typed: string, of: readonly Command[] = commands, recent: readonly string[] = []) =>
  rankCommands(of, typed, recent).map(({ label }) => label);

/** The overview's commands for `sess`, among which Enter must not hide a series. */
const overview = [
  command('This page', 'Hide sessions on the timeline'),
  command('Actions', 'Load the sample data', 'a session store'),
  command('Actions', 'Drop collection…', 'sessions', { destroys: true }),
  command('Actions', 'Export…', 'sessions'),
  command('Go to', 'Documents', 'sessions'),
  command('Go to', 'sessions_archive', '3 documents'),
  command('Go to', 'sessions', '20 documents'),
];

describe('the palette', () => {
  it('lists everything without a search text, pages first: Enter changes no data', () => {
    expect(labels(' ')).toEqual(['pauses', 'sessions', 'Run a pass now', 'Pause the reaper']);
    expect(labels('', commands, ['Run a pass now', 'sessions 20 documents'])).toEqual([
      'sessions',
      'pauses',
      'Run a pass now',
      'Pause the reaper',
    ]);
  });

  it('finds commands with every word in label or detail, in any order and case', () => {
    expect(labels('STORE pause')).toEqual(['Pause the reaper']);
  });

  it('lists a place whose name begins with the text first, and the exact name before others', () => {
    expect(labels('pa')).toEqual(['pauses', 'Pause the reaper', 'Run a pass now']);
    expect(labels('sess', overview)[0]).toBe('sessions_archive');
    expect(labels('sessions', overview)[0]).toBe('sessions');
  });

  it('lists the commands of the page and of a collection after its place', () => {
    expect(labels('sess', overview)).toEqual([
      'sessions_archive',
      'sessions',
      'Documents',
      'Hide sessions on the timeline',
      'Load the sample data',
      'Export…',
      'Drop collection…',
    ]);
  });

  it('lists recent choices first among equal matches', () => {
    expect(labels('sess', overview, ['sessions 20 documents'])[0]).toBe('sessions');
    const zooms = [command('This page', 'Zoom to 1 h'), command('This page', 'Zoom to 1 d')];
    expect(labels('zoom', zooms, ['Zoom to 1 d'])).toEqual(['Zoom to 1 d', 'Zoom to 1 h']);
    expect(labels('pa', commands, ['Run a pass now'])[0]).toBe('pauses');
  });

  it('never lists a destructive command first while another one matches, even if it was chosen recently', () => {
    const some = [
      command('Actions', 'Drop collection…', 'sessions', { destroys: true }),
      command('This page', 'Delete 3 documents…', '', { destroys: true }),
      command('Go to', 'Expired documents', 'dropped collections'),
      command('Actions', 'Undelete'),
    ];
    for (const typed of ['d', 'dr', 'drop', 'delete', 'collection', 'e']) {
      const [first] = rankCommands(some, typed, ['Drop collection… sessions', 'Delete 3 documents…']);
      expect(first?.destroys, typed).toBeUndefined();
    }
    expect(labels('drop collection sessions', some)).toEqual(['Drop collection…']);
  });
});

it('the palette lists commands of the page first, and those of the current collection before others', () => {
  const far = command('Actions', 'Export…', 'carts', { near: false });
  const near = command('Actions', 'Export…', 'sessions', { near: true });
  const page = command('This page', 'Export the feed…');
  expect(rankCommands([far, near, page], 'exp').map(({ id }) => id)).toEqual([page.id, near.id, far.id]);
  expect(rankCommands([far, near, page], '').map(({ id }) => id)).toEqual([page.id, near.id, far.id]);
});

it('the palette keeps the commands of a group together, for one heading each', () => {
  const groups = rankCommands(overview, 'e').map(({ group }) => group);
  expect(groups.filter((group, i) => group !== groups[i - 1])).toHaveLength(new Set(groups).size);
});

it('the palette lists a few pages and all commands of the page without a search text', () => {
  const places = Array.from({ length: 20 }, (_, i) => command('Go to', `place ${i}`));
  const ofPage = Array.from({ length: 9 }, (_, i) => command('This page', `do ${i}`));
  const all = rankCommands([...ofPage, ...places], '');
  expect(listed(all, '').map(({ group }) => group)).toEqual([
    ...Array.from({ length: 6 }, () => 'Go to'),
    ...Array.from({ length: 9 }, () => 'This page'),
  ]);
  expect(listed(rankCommands(places, 'place'), 'place')).toHaveLength(20);
});
