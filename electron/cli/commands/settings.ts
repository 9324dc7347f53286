import { DEFAULT_SETTINGS, type Settings, settingsAnswer } from '../../../shared/contract/settings.ts';
import { parseDuration } from '../../../shared/model/duration.ts';
import { fields } from '../output/terminal.ts';
import type { Command } from '../session/command.ts';
import type { ParsedArguments } from '../syntax/parsed-arguments.ts';

type Name = keyof Settings;
const NAMES = settingsAnswer.keyof().options;
/** Settings in seconds, which may be written as a duration. */
const IN_SECONDS: readonly Name[] = ['retention', 'clockJump', 'logSeconds'];

export const settings: Command = {
  name: 'settings',
  summary: 'Show the store’s settings, or change them',
  arguments: [{ name: 'NAME=VALUE', optional: true, many: true }],
  options: {},
  notes: [
    `NAME is one of ${NAMES.join(', ')}.`,
    `VALUE is a number or \`default\`; ${IN_SECONDS.join(', ')} are in seconds, or a duration such as 36h.`,
  ],
  store: 'opens',
  async run({ args, terminal, open }) {
    const changes = Object.fromEntries(args.all('NAME=VALUE').map(word => changeOf(args, word)));
    const { client } = await open();
    const found =
      Object.keys(changes).length === 0 ? await client.settings.get() : await client.settings.update(changes);
    await terminal.answer(found, () =>
      fields(
        NAMES.map(name => [
          name,
          `${found[name]}${found[name] === DEFAULT_SETTINGS[name] ? ' (default)' : ''}`,
        ]),
      ),
    );
    return undefined;
  },
};

/** Throws WrongUsage. */
function changeOf(args: ParsedArguments, word: string): [Name, number | null] {
  const [text = '', ...rest] = word.split('=');
  const name = NAMES.find(one => one === text);
  if (name === undefined || rest.length !== 1)
    throw args.wrong(`“${word}” is not NAME=VALUE with one of ${NAMES.join(', ')}.`);
  const value = rest[0] ?? '';
  if (value === 'default') return [name, null];
  if (/^[0-9]+(\.[0-9]+)?$/.test(value)) return [name, Number(value)];
  const read = parseDuration(value);
  if (!IN_SECONDS.includes(name) || 'problem' in read)
    throw args.wrong(`${name} must be a number or \`default\`, not “${value}”.`);
  return [name, read.seconds];
}
