import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { RotatedFile } from '../engine/files/rotated-file.ts';

const MIB = 1024 * 1024;

/**
 * Log of the desktop app. Lines go to standard error, as on the served host, and to a file of at most 4 × 2 MiB that
 * the Help menu opens: an app started from a menu has no visible standard error. The file is readable by its owner
 * only.
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

  /**
   * Appends lines that end with a line break. Reports a file that cannot be written (full disk) once, on standard
   * error.
   */
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
