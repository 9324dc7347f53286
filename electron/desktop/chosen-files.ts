import { randomUUID } from 'node:crypto';
import { APP_ORIGIN } from './origin.ts';

const FOLDER = '/chosen/';

/**
 * Files that the user chose in a dialog. The page reads each once, at a random address: it can read no other file, and
 * never sees a path.
 */
export class ChosenFiles {
  readonly #paths = new Map<string, string>();

  /** Returns the address of the file, relative to the page's origin. */
  add(path: string): string {
    const address = FOLDER + randomUUID();
    this.#paths.set(APP_ORIGIN + address, path);
    return address;
  }

  /** Returns the path of an address, once; afterwards undefined. */
  take(address: string): string | undefined {
    const path = this.#paths.get(address);
    this.#paths.delete(address);
    return path;
  }
}
