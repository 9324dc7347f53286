import { COMMANDS } from '../commands.ts';
import type { Command } from '../session/command.ts';
import { helpOf, overview } from '../syntax/help.ts';

export const help: Command = {
  name: 'help',
  summary: 'Show all commands, or what one takes',
  arguments: [{ name: 'COMMAND', optional: true, many: true }],
  options: {},
  store: 'none',
  async run({ given, terminal }) {
    const name = given.all('COMMAND').join(' ');
    const found = COMMANDS.filter(command => command.name === name || command.name.startsWith(`${name} `));
    if (name !== '' && found.length === 0) throw given.wrong(`There is no command “${name}”.`);
    await terminal.write(name === '' ? overview() : found.map(helpOf).join('\n'));
    return undefined;
  },
};
