import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { RotatedFile } from '../engine/files/rotated-file.ts';

const MIB = 1024 * 1024;

/**
 * The desktop's log: every line goes to standard error, as in the served host, and to a file of at most 4 × 2 MiB that the Help menu
 * opens, since nobody sees the standard error of an app started from a menu. The file is its owner's alone.
 */
export class LogFile {
  readonly path: string;
  readonly #file: RotatedFile;
  #isBroken = false;

  constructor(path: string) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true });
    this.#file = new RotatedFile({ file: path, partBytes: 2 * MIB, parts: 4 });
  }

  /** Writes whole lines, each with its line break. A file that cannot be written (a full disk) is said once on standard error. */
  readonly write = (lines: string): void => {
    process.stderr.write(lines);
    try {
      this.#file.append(lines);
      this.#isBroken = false;
    } catch (error) {
      if (!this.#isBroken) process.stderr.write(`The log file ${this.path} cannot be written: ${error}\n`);
      this.#isBroken = true;
    }
  };
}
