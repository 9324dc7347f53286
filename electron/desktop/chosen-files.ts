import { randomUUID } from 'node:crypto';
import { APP_ORIGIN } from './origin.ts';

const FOLDER = '/chosen/';

/**
 * Files that the person chose and the page may read, each once, at an address that cannot be guessed. So a page can
 * read nothing that nobody gave it, and learns no path.
 */
export class ChosenFiles {
  readonly #paths = new Map<string, string>();

  /** Where the page finds the file, from its own origin on. */
  give(path: string): string {
    const address = FOLDER + randomUUID();
    this.#paths.set(APP_ORIGIN + address, path);
    return address;
  }

  /** The path behind an address; the next who asks gets none. */
  take(address: string): string | undefined {
    const path = this.#paths.get(address);
    this.#paths.delete(address);
    return path;
  }
}
