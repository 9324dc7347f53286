import { DEFAULT_SETTINGS, type Settings, settingsAnswer } from '../../../shared/contract/settings.ts';
import { parseDuration } from '../../../shared/model/duration.ts';
import { fields } from '../output/terminal.ts';
import type { Command } from '../session/command.ts';
import type { Given } from '../syntax/parsed-arguments.ts';

type Name = keyof Settings;
const NAMES = settingsAnswer.keyof().options;
/** Those in seconds, which may be written as a duration. */
const IN_SECONDS: readonly Name[] = ['retention', 'clockJump', 'logSeconds'];

export const settings: Command = {
  name: 'settings',
  summary: 'Show the store’s settings, or change some [R3]',
  arguments: [{ name: 'NAME=VALUE', optional: true, many: true }],
  options: {},
  notes: [
    `NAME is one of ${NAMES.join(', ')}.`,
    `VALUE is a number, or \`default\`; ${IN_SECONDS.join(', ')} are seconds, and take 36h, too.`,
  ],
  store: 'opens',
  async run({ given, terminal, open }) {
    const changes = Object.fromEntries(given.all('NAME=VALUE').map(word => changeOf(given, word)));
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
function changeOf(given: Given, word: string): [Name, number | null] {
  const [text = '', ...rest] = word.split('=');
  const name = NAMES.find(one => one === text);
  if (name === undefined || rest.length !== 1)
    throw given.wrong(`“${word}” is not NAME=VALUE with one of ${NAMES.join(', ')}.`);
  const value = rest[0] ?? '';
  if (value === 'default') return [name, null];
  if (/^[0-9]+(\.[0-9]+)?$/.test(value)) return [name, Number(value)];
  const read = parseDuration(value);
  if (!IN_SECONDS.includes(name) || 'problem' in read)
    throw given.wrong(`${name} is a number or \`default\`; “${value}” is not.`);
  return [name, read.seconds];
}
