import { statSync } from 'node:fs';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { readHead } from '../../../files/file-head.ts';
import { isReserve } from '../../../files/reserve-file.ts';
import { type SidecarSuffix, sidecarFile } from '../../../files/sidecar-files.ts';

/** First bytes of a rollback journal; SQLite overwrites them with zeros when it has finished with one. */
const JOURNAL = Buffer.from('d9d505f920a163d7', 'hex');
const JOURNAL_OVER = Buffer.alloc(8);
/** First bytes of a write-ahead log; the last bit, which is the byte order, is masked. */
const LOG = Buffer.from('377f0682', 'hex');

const OURS: readonly [SidecarSuffix, (head: Buffer) => boolean][] = [
  ['-journal', head => head.equals(JOURNAL) || head.equals(JOURNAL_OVER)],
  ['-wal', isLog],
  ['-reserve', isReserve],
];

/** A power cut may leave zeros in the place of a new log's head; SQLite ignores such a log, of which nothing was synced. */
function isLog(head: Buffer): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = head;
  return head.every(byte => byte === 0) || Buffer.of(a, b, c, d & 0xfe).equals(LOG);
}

/**
 * Checks that the files with a store's sidecar names belong to it: SQLite would refuse the store for a foreign journal
 * without naming it, and overwrite a foreign log. Throws STORE_UNREADABLE, which names the file to move [S2].
 */
export function refuseForeignSidecarFiles(storeFile: string): void {
  for (const [suffix, isOurs] of OURS) {
    const file = sidecarFile(storeFile, suffix);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined || found.size === 0) continue;
    if (found.isFile() && isOurs(readHead(file, 8))) continue;
    throw new SandglassError(
      'STORE_UNREADABLE',
      `${storeFile} cannot be opened: ${file} is in its way, which is not a file of this store. Move that file away.`,
      { file: storeFile, inTheWay: file },
    );
  }
}
