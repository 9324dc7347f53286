import { parseArgs } from 'node:util';
import { parseDateString } from '../../../shared/model/date-string.ts';
import { parseDuration } from '../../../shared/model/duration.ts';
import { WrongUsage } from '../output/failures.ts';
import type { Argument, Command, Option } from '../session/command.ts';

/** Of every command. */
export const COMMON: Readonly<Record<string, Option>> = {
  json: { help: 'answer JSON on standard output, and failures as JSON on standard error' },
  help: { help: 'show the help of the command' },
};
/** Of every command that asks a store. */
export const WHICH_STORE: Readonly<Record<string, Option>> = {
  store: { value: 'FILE', help: 'the store (default: the one `npm start` opens)' },
  url: { value: 'URL', help: 'a served host instead, as http://server:7263/' },
  token: { value: 'TOKEN', help: 'its token (default: the one in the URL, or $SANDGLASS_TOKEN)' },
};

export function optionsOf(command: Command): Readonly<Record<string, Option>> {
  return { ...command.options, ...(command.store === 'none' ? {} : WHICH_STORE), ...COMMON };
}

/** The words behind a command, by its row of the table. Throws WrongUsage. */
export function parseWords(command: Command, words: readonly string[]): Given {
  const options = optionsOf(command);
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: Object.fromEntries(
        Object.entries(options).map(([name, { value }]) => [
          name,
          {
            type: value === undefined ? ('boolean' as const) : ('string' as const),
            ...(name === 'help' ? { short: 'h' } : {}),
          },
        ]),
      ),
      allowPositionals: true,
    });
    const given = new Given(command, values, positionals);
    if (!given.has('help')) given.check();
    return given;
  } catch (error) {
    if (error instanceof WrongUsage) throw error;
    // Node's own words name the option; what it advises about positionals is for programmers.
    const message = error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error);
    throw new WrongUsage(`${message.replace(/\.$/, '')}.`, command.name);
  }
}

/** What was given to a command. Every reading of it throws WrongUsage, naming the word and what it may be. */
export class Given {
  readonly #command: Command;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #words: readonly string[];

  constructor(command: Command, values: Readonly<Record<string, unknown>>, words: readonly string[]) {
    this.#command = command;
    this.#values = values;
    this.#words = words;
  }

  /** Throws unless there are as many words as the command takes. */
  check(): void {
    const { arguments: wanted } = this.#command;
    const missing = wanted.find((argument, i) => !argument.optional && this.#words[i] === undefined);
    if (missing !== undefined) throw this.wrong(`${missing.name} is missing.`);
    const extra = wanted.at(-1)?.many ? undefined : this.#words[wanted.length];
    if (extra !== undefined) throw this.wrong(`“${extra}” is one word too many.`);
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
    return this.#words[this.#place(name)];
  }
  /** That one and all behind it. */
  all(name: string): readonly string[] {
    return this.#words.slice(this.#place(name));
  }
  #place(name: string): number {
    return this.#command.arguments.findIndex((argument: Argument) => argument.name === name);
  }

  has(option: string): boolean {
    return this.#values[option] !== undefined;
  }
  text(option: string): string | undefined {
    const value = this.#values[option];
    return typeof value === 'string' ? value : undefined;
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
    if (found === undefined) throw this.wrong(`--${option} is ${choices.join(', ')}; “${value}” is not.`);
    return found;
  }
  number(option: string): number | undefined {
    const value = this.text(option);
    if (value === undefined) return undefined;
    const number = value.trim() === '' ? Number.NaN : Number(value);
    if (!Number.isFinite(number)) throw this.wrong(`--${option} is a number; “${value}” is not.`);
    return number;
  }
  /** Seconds: `30d`, `1h 30m`, or a plain number of seconds. */
  seconds(option: string): number | undefined {
    const value = this.text(option);
    if (value === undefined) return undefined;
    if (/^[0-9]+(\.[0-9]+)?$/.test(value)) return Number(value);
    const read = parseDuration(value);
    if ('problem' in read) throw this.wrong(`--${option}: ${read.problem}`);
    return read.seconds;
  }
  /** Epoch milliseconds: a date, or how long before `now` (with `after`: behind it). */
  instant(option: string, now: number, direction: 'ago' | 'from now'): number | undefined {
    const value = this.text(option);
    if (value === undefined) return undefined;
    const date = parseDateString(value);
    if (date !== null) return date;
    const read = parseDuration(value);
    if ('problem' in read) {
      throw this.wrong(
        `--${option} is a date like 2026-11-21T14:00:00Z or a duration like 2h; “${value}” is not.`,
      );
    }
    return now + (direction === 'ago' ? -1 : 1) * read.seconds * 1000;
  }
}
