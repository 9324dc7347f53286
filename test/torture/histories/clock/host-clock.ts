import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clockBytes } from './clock-file.mjs';
import { HostTime, moment } from './host-time.ts';

/** The wall clock of a host, which the test moves, and the trusted time that follows from it. */
export class HostClock {
  readonly time = new HostTime();
  readonly #file: string;
  readonly #descriptor: number;
  #running: Promise<unknown> = Promise.resolve();

  /** The file of the clock is in `folder`. */
  constructor(folder: string) {
    this.#file = join(folder, 'wall-clock');
    this.#descriptor = openSync(this.#file, 'w');
    this.#write(0);
  }

  /** With these variables each thread of a host has this clock. */
  get env(): Readonly<Record<string, string>> {
    return {
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'wall-clock.mjs'))}`,
      SANDGLASS_CLOCK_FILE: this.#file,
    };
  }

  /** Runs one after the other what moves the clock or ends the host, so that the host notices each move. */
  exclusively<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#running.then(run);
    this.#running = result.catch(() => undefined);
    return result;
  }

  /** Sets the wall clock, which the host follows. */
  set(offsetMs: number): void {
    const begun = this.time.begin({ offsetMs, standsAt: null, isHeld: false });
    this.#write(offsetMs);
    begun();
  }

  /** Stops the wall clock. */
  stand(): void {
    const { present } = this.time;
    const standsAt = Math.floor(moment().wall + present.offsetMs);
    const begun = this.time.begin({ ...present, standsAt });
    this.#write(standsAt);
    begun();
  }

  /** Sets only the wall clock: the trusted time of the host continues as it is. */
  setUntrusted(offsetMs: number): void {
    this.#write(offsetMs);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #write(value: number): void {
    writeSync(this.#descriptor, clockBytes(value), 0, null, 0);
  }
}
