import { createInterface } from 'node:readline/promises';
import { stringifyJson } from '../../shared/model/json.ts';
import type { Clock } from '../engine/platform/clock.ts';

/** Between two lines of progress where they cannot be written over one another. */
const PROGRESS_EVERY_MS = 5_000;

/** Standard output is the answer; whatever is said beside it goes to standard error. */
export class Terminal {
  readonly json: boolean;
  readonly #clock: Clock;
  #toldAt: number | undefined;
  #lineIsOpen = false;

  constructor(json: boolean, clock: Clock) {
    this.json = json;
    this.#clock = clock;
  }

  /** The answer of a command: `value` as JSON, or `lines` for a person. */
  async answer(value: unknown, lines: () => readonly string[]): Promise<void> {
    await this.write(
      this.json
        ? `${stringifyJson(value)}\n`
        : lines()
            .map(line => `${line}\n`)
            .join(''),
    );
  }

  /** To standard output, waiting for a reader that is slow. */
  async write(text: string): Promise<void> {
    this.#endLine();
    if (text === '' || process.stdout.write(text)) return;
    await new Promise<void>(resolve => process.stdout.once('drain', resolve));
  }

  say(line: string): void {
    this.#endLine();
    process.stderr.write(`${line}\n`);
  }

  /** How far long work is: one line that is written over, or now and then another one. */
  progress(line: string): void {
    if (process.stderr.isTTY) {
      process.stderr.write(`\r\u001b[K${line}`);
      this.#lineIsOpen = true;
      return;
    }
    const now = this.#clock.elapsed();
    // The first is not worth a line: most work is over before the second.
    this.#toldAt ??= now;
    if (now - this.#toldAt < PROGRESS_EVERY_MS) return;
    this.#toldAt = now;
    process.stderr.write(`${line}\n`);
  }

  /** Somebody is there to be asked. */
  get isInteractive(): boolean {
    return process.stdin.isTTY === true && process.stderr.isTTY === true && !this.json;
  }

  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    this.#endLine();
    const line = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^y(es)?$/i.test((await line.question(`${question} [y/N] `, { signal })).trim());
    } finally {
      line.close();
    }
  }

  #endLine(): void {
    if (this.#lineIsOpen) process.stderr.write('\r\u001b[K');
    this.#lineIsOpen = false;
  }
}

const NUMBER = /^[−-]?[0-9][0-9,.]*$/;

/** Rows under their heads, columns aligned; those of numbers to the right. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map(row => row[i]?.length ?? 0)));
  const isRight = heads.map((_, i) => rows.length > 0 && rows.every(row => NUMBER.test(row[i] ?? '')));
  return [heads, ...rows].map(row =>
    widths
      .map((width, i) => (isRight[i] ? (row[i] ?? '').padStart(width) : (row[i] ?? '').padEnd(width)))
      .join('  ')
      .trimEnd(),
  );
}

/** One thing a line: what it is called, and what it is. */
export function fields(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd());
}
