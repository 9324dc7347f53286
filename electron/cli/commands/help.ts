import type { Command } from '../session/command.ts';
import { helpOf, overview } from '../syntax/help.ts';

/** Creates the command `help` of the table `commands`, which contains it. */
export function helpCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'help',
    summary: 'Show all commands, or the options of one',
    arguments: [{ name: 'COMMAND', optional: true, many: true }],
    options: {},
    store: 'none',
    async run({ args, terminal }) {
      const name = args.all('COMMAND').join(' ');
      const all = commands();
      const found = all.filter(command => command.name === name || command.name.startsWith(`${name} `));
      if (name !== '' && found.length === 0) throw args.wrong(`There is no command “${name}”.`);
      await terminal.write(name === '' ? overview(all) : found.map(helpOf).join('\n'));
      return undefined;
    },
  };
}
