import { parseArgs } from 'node:util';
import { parseDateString } from '../../../shared/model/dates/date-string.ts';
import { parseDuration } from '../../../shared/model/duration.ts';
import { WrongUsage } from '../output/failures.ts';
import type { Argument, CommandSyntax, Option } from './command-syntax.ts';

/** Options of every command. */
const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  json: { help: 'print the result as JSON on standard output, and errors as JSON on standard error' },
  help: { help: 'show the help of the command' },
};
/** Options of every command that uses a store. */
const STORE_OPTIONS: Readonly<Record<string, Option>> = {
  store: { value: 'FILE', help: 'file of the store (default: the one that `npm start` opens)' },
  connection: {
    value: 'CONNECTION',
    help: 'id or name of another connection of the Sandglass that has the store open (default: home)',
  },
  url: { value: 'URL', help: 'connect to a served host instead, such as http://server:7263/' },
  token: {
    value: 'TOKEN',
    help: 'token of the served host (default: the one in the URL, or $SANDGLASS_TOKEN)',
  },
};

export function optionsOf(command: CommandSyntax): Readonly<Record<string, Option>> {
  return { ...command.options, ...(command.store === 'none' ? {} : STORE_OPTIONS), ...COMMON_OPTIONS };
}

/** Parses the words after a command's name. Throws WrongUsage. */
export function parseArguments(command: CommandSyntax, argv: readonly string[]): ParsedArguments {
  const options = optionsOf(command);
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: Object.fromEntries(
        Object.entries(options).map(([name, { value, many = false }]) => [
          name,
          {
            type: value === undefined ? ('boolean' as const) : ('string' as const),
            multiple: many,
            ...(name === 'help' ? { short: 'h' } : {}),
          },
        ]),
      ),
      allowPositionals: true,
    });
    const args = new ParsedArguments(command, values, positionals);
    if (!args.has('help')) args.check();
    return args;
  } catch (error) {
    if (error instanceof WrongUsage) throw error;
    // The first sentence of Node's message names the option; the rest is advice for programmers.
    const message = error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error);
    throw new WrongUsage(`${message.replace(/\.$/, '')}.`, command.name);
  }
}

/** Arguments and options of a command. Every getter throws WrongUsage for an invalid value, with the valid ones. */
export class ParsedArguments {
  readonly #command: CommandSyntax;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #positionals: readonly string[];

  constructor(
    command: CommandSyntax,
    values: Readonly<Record<string, unknown>>,
    positionals: readonly string[],
  ) {
    this.#command = command;
    this.#values = values;
    this.#positionals = positionals;
  }

  /** Throws WrongUsage unless the number of words is valid. */
  check(): void {
    const { arguments: wanted } = this.#command;
    const missing = wanted.find((argument, i) => !argument.optional && this.#positionals[i] === undefined);
    if (missing !== undefined) throw this.wrong(`${missing.name} is missing.`);
    const extra = wanted.at(-1)?.many ? undefined : this.#positionals[wanted.length];
    if (extra !== undefined) throw this.wrong(`“${extra}” is one argument too many.`);
  }

  wrong(message: string): WrongUsage {
    return new WrongUsage(message, this.#command.name);
  }

  argument(name: string): string {
    const found = this.optional(name);
    if (found === undefined) throw this.wrong(`${name} is missing.`);
    return found;
  }
  optional(name: string): string | undefined {
    return this.#positionals[this.#indexOf(name)];
  }
  /** Returns this argument and all after it. */
  all(name: string): readonly string[] {
    return this.#positionals.slice(this.#indexOf(name));
  }
  #indexOf(name: string): number {
    return this.#command.arguments.findIndex((argument: Argument) => argument.name === name);
  }

  has(option: string): boolean {
    return this.#values[option] !== undefined;
  }
  text(option: string): string | undefined {
    const value = this.#values[option];
    return typeof value === 'string' ? value : undefined;
  }
  /** Returns every value of an option that may be given several times, in their order. */
  texts(option: string): readonly string[] {
    const values = this.#values[option];
    return Array.isArray(values) ? values.filter(value => typeof value === 'string') : [];
  }
  required(option: string): string {
    const value = this.text(option);
    if (value === undefined) throw this.wrong(`--${option} is missing.`);
    return value;
  }
  oneOf<Choice extends string>(option: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(option);
    if (value === undefined) return undefined;
    const found = choices.find(choice => choice === value);
    if (found === undefined)
      throw this.wrong(`--${option} must be one of ${choices.join(', ')}, not “${value}”.`);
    return found;
  }
  number(option: string): number | undefined {
    const value = this.text(option);
    if (value === undefined) return undefined;
    const number = value.trim() === '' ? Number.NaN : Number(value);
    if (!Number.isFinite(number)) throw this.wrong(`--${option} must be a number, not “${value}”.`);
    return number;
  }
  /** Returns seconds: `30d`, `1h 30m`. Refuses a number without a unit: systems differ in the one they assume. */
  seconds(option: string): number | undefined {
    const value = this.text(option);
    if (value === undefined) return undefined;
    // Exact below a millisecond, as an index may have it.
    const [, plain] = /^([0-9]+(?:\.[0-9]+)?)s$/.exec(value) ?? [];
    if (plain !== undefined) return Number(plain);
    const read = parseDuration(value);
    if ('problem' in read) throw this.wrong(`--${option}: ${read.problem}`);
    return read.seconds;
  }
  /** Returns epoch ms: a date, or a duration before or after `now`. */
  instant(option: string, now: number, direction: 'ago' | 'from now'): number | undefined {
    const value = this.text(option);
    if (value === undefined) return undefined;
    const date = parseDateString(value);
    if (date !== null) return date;
    const read = parseDuration(value);
    if ('problem' in read) {
      throw this.wrong(
        `--${option} must be a date like 2026-11-21T14:00:00Z or a duration like 2h, not “${value}”.`,
      );
    }
    return now + (direction === 'ago' ? -1 : 1) * read.seconds * 1000;
  }
}
