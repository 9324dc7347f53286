import { describe, expect, it } from 'vitest';
import { type Command, matchCommands } from '../../../../renderer/features/frame/command.ts';

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

describe('the palette finds', () => {
  it('everything while nothing is typed, places first: Enter alone changes nothing', () => {
    expect(labels(' ')).toEqual(['pauses', 'sessions', 'Run a pass now', 'Pause the reaper']);
  });

  it('what holds every word, in label or detail, in any order and case', () => {
    expect(labels('STORE pause')).toEqual(['Pause the reaper']);
  });

  it('first what begins with the word, actions before places', () => {
    expect(labels('pa')).toEqual(['Pause the reaper', 'Run a pass now', 'pauses']);
  });
});
