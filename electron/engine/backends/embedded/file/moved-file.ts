import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { SandglassError } from '../../../../../shared/model/errors.ts';

/**
 * Returns a check that throws STORE_UNREADABLE while the path of the open store leads to another file or to none. SQLite
 * would go on writing into a file that no later opening finds.
 */
export function movedFileCheck(file: string): () => void {
  const opened = identityOf(file);
  return () => {
    const found = identityOf(file);
    if (found === opened) return;
    const what = found === null ? 'moved or deleted' : 'replaced by another file';
    throw new SandglassError(
      'STORE_UNREADABLE',
      `${basename(file)} was ${what} while Sandglass had it open, so writes are refused. Put the file back, or close and open the store.`,
      { file },
    );
  };
}

/** Null: there is no file. A file system that cannot be asked changes nothing: the write itself reports its error. */
function identityOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}
