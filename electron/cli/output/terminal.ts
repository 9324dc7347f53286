import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { stringifyJson } from '../../../shared/model/json/json.ts';
import { visibleJson, visibleText } from '../../../shared/model/visible-text.ts';
import type { Clock } from '../../engine/platform/clock.ts';

/** Interval of progress lines if the error stream is not a terminal. */
const PROGRESS_EVERY_MS = 5_000;

/** Standard streams of the process. */
export interface Streams {
  readonly input: Readable & { isTTY?: boolean | undefined };
  readonly output: Writable & { isTTY?: boolean | undefined };
  readonly error: Writable & { isTTY?: boolean | undefined };
}

/** Writes results to standard output, and messages and progress to standard error. */
export class Terminal {
  readonly json: boolean;
  readonly #clock: Clock;
  readonly #streams: Streams;
  #progressAt: number | undefined;
  #lineIsOpen = false;

  constructor(json: boolean, clock: Clock, streams: Streams) {
    this.json = json;
    this.#clock = clock;
    this.#streams = streams;
  }

  /** Writes a result: `value` with --json, otherwise `lines`. Escapes control characters in stored text. */
  async answer(value: unknown, lines: () => readonly string[]): Promise<void> {
    await this.write(
      this.json
        ? `${visibleJson(stringifyJson(value))}\n`
        : lines()
            .map(line => `${visibleText(line)}\n`)
            .join(''),
    );
  }

  /** Writes to standard output; resolves when a slow reader has caught up. */
  async write(text: string): Promise<void> {
    this.#endLine();
    if (text !== '' && !this.#streams.output.write(text)) await once(this.#streams.output, 'drain');
  }

  /** Writes NDJSON as it is stored; on a terminal with control characters escaped, which is the same JSON. */
  async writeJsonLines(text: string): Promise<void> {
    await this.write(this.#streams.output.isTTY === true ? visibleJson(text) : text);
  }

  /** Writes a line to standard error. */
  message(line: string): void {
    this.#endLine();
    this.#streams.error.write(`${this.json ? visibleJson(line) : visibleText(line)}\n`);
  }

  /** Shows progress: on a terminal one line that is replaced, otherwise a new line every PROGRESS_EVERY_MS. */
  progress(line: string): void {
    if (this.#streams.error.isTTY) {
      this.#streams.error.write(`\r\u001b[K${visibleText(line)}`);
      this.#lineIsOpen = true;
      return;
    }
    const now = this.#clock.elapsed();
    // No line for the first report: most work ends before the second.
    this.#progressAt ??= now;
    if (now - this.#progressAt < PROGRESS_EVERY_MS) return;
    this.#progressAt = now;
    this.#streams.error.write(`${visibleText(line)}\n`);
  }

  /** True if a person can answer a question. */
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

/** Returns aligned lines: heads and rows, with columns of numbers aligned right. */
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

/** Returns a line for each name and value, with the values aligned. */
export function fields(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => visibleText(name).length));
  return rows.map(([name, value]) => `${visibleText(name).padEnd(width)}  ${visibleText(value)}`.trimEnd());
}
