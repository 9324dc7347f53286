import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createPrivate } from './private-file.ts';

export interface RotatedFileOptions {
  /** The newest part; older ones are `FILE.1` and so on, the oldest has the highest number. */
  file: string;
  /** Size at which a part is followed by a new one, bytes. */
  partBytes: number;
  /** Number of parts that are kept, including the newest. */
  parts: number;
}

/** Appends lines to a file that only its owner can read, of at most `parts` times `partBytes`. */
export class RotatedFile {
  readonly #options: RotatedFileOptions;
  #bytes: number | undefined;

  constructor(options: RotatedFileOptions) {
    this.#options = options;
  }

  /** `line` ends with a line break. Throws the file system's error. */
  append(line: string): void {
    const { file, partBytes } = this.#options;
    const length = Buffer.byteLength(line);
    this.#bytes ??= statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (this.#bytes > 0 && this.#bytes + length > partBytes) this.#rotate();
    createPrivate(file);
    appendFileSync(file, line);
    this.#bytes += length;
  }

  #rotate(): void {
    const { file, parts } = this.#options;
    const nth = (n: number) => (n === 0 ? file : `${file}.${n}`);
    rmSync(nth(parts - 1), { force: true });
    for (let n = parts - 2; n >= 0; n--)
      if (statSync(nth(n), { throwIfNoEntry: false }) !== undefined) renameSync(nth(n), nth(n + 1));
    this.#bytes = 0;
  }
}
