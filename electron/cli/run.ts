import manifest from '../../package.json' with { type: 'json' };
import { stringifyJson } from '../../shared/model/json/json.ts';
import type { Clock } from '../engine/platform/clock.ts';
import { COMMANDS } from './commands.ts';
import { EXIT } from './output/exit-codes.ts';
import { CommandFailed, interrupted, tell, WrongUsage } from './output/failures.ts';
import { type Streams, Terminal } from './output/terminal.ts';
import type { Command, Session } from './session/command.ts';
import { type OpenStore, openStore } from './session/open-store.ts';
import { helpOf, overview } from './syntax/help.ts';
import { Given, parseWords } from './syntax/parsed-arguments.ts';

export interface Surroundings {
  clock: Clock;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  streams: Streams;
}

/** Does what the words say, and answers the exit code. Only a defect is thrown. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { clock, streams } = surroundings;
  // Also where the words make no command, a program wants to hear that as JSON.
  const terminal = new Terminal(words.includes('--json'), clock, streams);
  try {
    const [first] = words;
    if (first === '--version') {
      await terminal.answer({ version: manifest.version }, () => [manifest.version]);
      return EXIT.done;
    }
    if (first === undefined || isHelp(first)) {
      await terminal.write(overview());
      return first === undefined ? EXIT.wrongUsage : EXIT.done;
    }
    const command = findCommand(words);
    const rest = words.slice(command.name.split(' ').length);
    const given = command.passesOn ? new Given(command, {}, rest) : parseWords(command, rest);
    if (given.has('help') || (command.passesOn && rest.some(isHelp))) {
      await terminal.write(helpOf(command));
      return EXIT.done;
    }
    return await runCommand(command, given, terminal, surroundings);
  } catch (error) {
    const told = tell(error);
    if (told === undefined) throw error;
    const { exitCode, code, message, data } = told;
    terminal.say(terminal.json ? stringifyJson({ code, message, data }) : message);
    return exitCode;
  }
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

async function runCommand(
  command: Command,
  given: Given,
  terminal: Terminal,
  { clock, signal, streams }: Surroundings,
): Promise<number> {
  const open: OpenStore[] = [];
  const session: Session = {
    given,
    terminal,
    clock,
    signal,
    input: streams.input,
    async open(how = {}) {
      const makes = command.store === 'makes';
      const store = await openStore({ given, makes, say: line => terminal.say(line), clock }, how);
      open.push(store);
      return store;
    },
  };
  try {
    return (await command.run(session)) ?? EXIT.done;
  } catch (error) {
    // What was asked was called off, which is no defect.
    if (signal.aborted && tell(error) === undefined) throw interrupted('Interrupted.');
    // A call whose line broke says little; why the line broke says all.
    const why = tell(error) === undefined ? await whyEnded(open, clock) : undefined;
    if (why === undefined) throw error;
    throw new CommandFailed(
      EXIT.unreachable,
      `The connection to the store ended: ${why}. What was asked last may or may not have been done.`,
    );
  } finally {
    for (const store of open.reverse()) await store.close();
  }
}

/** How long the end of a line may take to be told behind the failure it made. */
const TOLD_WITHIN_MS = 200;

async function whyEnded(open: readonly OpenStore[], clock: Clock): Promise<string | undefined> {
  const late = clock.sleep(TOLD_WITHIN_MS).then(() => undefined);
  return Promise.race([late, ...open.map(({ ended }) => ended)]);
}

function findCommand(words: readonly string[]): Command {
  const byLength = (length: number) => COMMANDS.find(({ name }) => name === words.slice(0, length).join(' '));
  const found = byLength(2) ?? byLength(1);
  if (found !== undefined) return found;
  const family = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `)).map(
    ({ name }) => name.split(' ')[1],
  );
  throw new WrongUsage(
    family.length > 0
      ? `\`sandglass ${words[0]}\` goes on with ${family.join(', ')}.`
      : `There is no command “${words[0]}”.`,
  );
}
