import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { stringifyJson } from '../../../shared/model/json/json.ts';
import { visibleJson, visibleText } from '../../../shared/model/visible-text.ts';
import type { Clock } from '../../engine/platform/clock.ts';

/** Between two lines of progress where they cannot be written over one another. */
const PROGRESS_EVERY_MS = 5_000;

/** The process's own, or a test's. */
export interface Streams {
  readonly input: Readable & { isTTY?: boolean | undefined };
  readonly output: Writable & { isTTY?: boolean | undefined };
  readonly error: Writable & { isTTY?: boolean | undefined };
}

/** Standard output is the answer; whatever is said beside it goes to standard error. */
export class Terminal {
  readonly json: boolean;
  readonly #clock: Clock;
  readonly #streams: Streams;
  #toldAt: number | undefined;
  #lineIsOpen = false;

  constructor(json: boolean, clock: Clock, streams: Streams) {
    this.json = json;
    this.#clock = clock;
    this.#streams = streams;
  }

  /** The answer of a command: `value` as JSON, or `lines` for a person. Stored text in either commands no terminal. */
  async answer(value: unknown, lines: () => readonly string[]): Promise<void> {
    await this.write(
      this.json
        ? `${visibleJson(stringifyJson(value))}\n`
        : lines()
            .map(line => `${visibleText(line)}\n`)
            .join(''),
    );
  }

  /** To standard output, waiting for a reader that is slow. */
  async write(text: string): Promise<void> {
    this.#endLine();
    if (text !== '' && !this.#streams.output.write(text)) await once(this.#streams.output, 'drain');
  }

  /** NDJSON as it is stored; on a screen with what a terminal would obey escaped, which is the same JSON. */
  async writeJsonLines(text: string): Promise<void> {
    await this.write(this.#streams.output.isTTY === true ? visibleJson(text) : text);
  }

  say(line: string): void {
    this.#endLine();
    this.#streams.error.write(`${this.json ? visibleJson(line) : visibleText(line)}\n`);
  }

  /** How far long work is: one line that is written over, or now and then another one. */
  progress(line: string): void {
    if (this.#streams.error.isTTY) {
      this.#streams.error.write(`\r\u001b[K${visibleText(line)}`);
      this.#lineIsOpen = true;
      return;
    }
    const now = this.#clock.elapsed();
    // The first is not worth a line: most work is over before the second.
    this.#toldAt ??= now;
    if (now - this.#toldAt < PROGRESS_EVERY_MS) return;
    this.#toldAt = now;
    this.#streams.error.write(`${visibleText(line)}\n`);
  }

  /** Somebody is there to be asked. */
  get isInteractive(): boolean {
    return this.#streams.input.isTTY === true && this.#streams.error.isTTY === true && !this.json;
  }

  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    this.#endLine();
    const line = createInterface({ input: this.#streams.input, output: this.#streams.error });
    try {
      return /^y(es)?$/i.test((await line.question(`${visibleText(question)} [y/N] `, { signal })).trim());
    } finally {
      line.close();
    }
  }

  #endLine(): void {
    if (this.#lineIsOpen) this.#streams.error.write('\r\u001b[K');
    this.#lineIsOpen = false;
  }
}

const NUMBER = /^[−-]?[0-9][0-9,.]*$/;

/** Rows under their heads, columns aligned; those of numbers to the right. */
export function table(heads: readonly string[], stored: readonly (readonly string[])[]): string[] {
  const rows = stored.map(row => row.map(visibleText));
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
  const width = Math.max(...rows.map(([name]) => visibleText(name).length));
  return rows.map(([name, value]) => `${visibleText(name).padEnd(width)}  ${visibleText(value)}`.trimEnd());
}
