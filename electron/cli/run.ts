import manifest from '../../package.json' with { type: 'json' };
import { stringifyJson } from '../../shared/model/json/json.ts';
import type { Clock } from '../engine/platform/clock.ts';
import { COMMANDS } from './commands.ts';
import { EXIT } from './output/exit-codes.ts';
import { CommandFailed, expectedFailure, interrupted, WrongUsage } from './output/failures.ts';
import { type Streams, Terminal } from './output/terminal.ts';
import type { Command, Session } from './session/command.ts';
import { type OpenStore, openStore } from './session/open-store.ts';
import { helpOf, overview } from './syntax/help.ts';
import { ParsedArguments, parseArguments } from './syntax/parsed-arguments.ts';

export interface RunOptions {
  clock: Clock;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  streams: Streams;
}

/** Runs a command line, and resolves to its exit code. Rejects only with a defect. */
export async function run(argv: readonly string[], options: RunOptions): Promise<number> {
  const { clock, streams } = options;
  // Created before the arguments are parsed: with --json, errors in the arguments are JSON too.
  const terminal = new Terminal(argv.includes('--json'), clock, streams);
  let exitCodeOfFailures: number | undefined;
  try {
    const [first] = argv;
    if (first === '--version') {
      await terminal.answer({ version: manifest.version }, () => [manifest.version]);
      return EXIT.done;
    }
    if (first === undefined || isHelp(first)) {
      await terminal.write(overview(COMMANDS));
      return first === undefined ? EXIT.wrongUsage : EXIT.done;
    }
    const command = findCommand(argv);
    exitCodeOfFailures = command.exitCodeOfFailures;
    const rest = argv.slice(command.name.split(' ').length);
    const args = command.forwardsArguments
      ? new ParsedArguments(command, {}, rest)
      : parseArguments(command, rest);
    if (args.has('help') || (command.forwardsArguments && rest.some(isHelp))) {
      await terminal.write(helpOf(command));
      return EXIT.done;
    }
    return await runCommand(command, args, terminal, options);
  } catch (error) {
    const failure = expectedFailure(error);
    if (failure === undefined) throw error;
    const { exitCode, code, message, data } = failure;
    terminal.message(terminal.json ? stringifyJson({ code, message, data }) : message);
    return exitCodeOfFailures ?? exitCode;
  }
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

async function runCommand(
  command: Command,
  args: ParsedArguments,
  terminal: Terminal,
  { clock, signal, streams }: RunOptions,
): Promise<number> {
  const open: OpenStore[] = [];
  const session: Session = {
    args,
    terminal,
    clock,
    signal,
    input: streams.input,
    async open(mode = {}) {
      const createsStore = command.store === 'creates';
      const store = await openStore(
        { args, createsStore, notify: line => terminal.message(line), clock },
        mode,
      );
      open.push(store);
      return store;
    },
  };
  try {
    return (await command.run(session)) ?? EXIT.done;
  } catch (error) {
    // An aborted call rejects with an error that is not a defect.
    if (signal.aborted && expectedFailure(error) === undefined) throw interrupted('Interrupted.');
    // If the connection has ended, its reason says more than the error of the call.
    const reason = expectedFailure(error) === undefined ? await endReason(open, clock) : undefined;
    if (reason === undefined) throw error;
    throw new CommandFailed(
      EXIT.unreachable,
      `The connection to the store ended: ${reason}. The last call may or may not have been executed.`,
    );
  } finally {
    for (const store of open.reverse()) await store.close();
  }
}

/** Longest time between a failed call and the end of its connection. */
const END_TIMEOUT_MS = 200;

async function endReason(open: readonly OpenStore[], clock: Clock): Promise<string | undefined> {
  const late = clock.sleep(END_TIMEOUT_MS).then(() => undefined);
  return Promise.race([late, ...open.map(({ ended }) => ended)]);
}

function findCommand(argv: readonly string[]): Command {
  const byLength = (length: number) => COMMANDS.find(({ name }) => name === argv.slice(0, length).join(' '));
  const found = byLength(2) ?? byLength(1);
  if (found !== undefined) return found;
  const family = COMMANDS.filter(({ name }) => name.startsWith(`${argv[0]} `)).map(
    ({ name }) => name.split(' ')[1],
  );
  throw new WrongUsage(
    family.length > 0
      ? `\`sandglass ${argv[0]}\` needs one of ${family.join(', ')}.`
      : `There is no command “${argv[0]}”.`,
  );
}
