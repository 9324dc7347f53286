import type { Settings } from '../../../../../shared/contract/settings.ts';
import { SECOND } from '../../../deadline-index/count-levels.ts';
import type { Writer } from '../write/writer.ts';

/** Maximum rows that one step deletes: writes wait meanwhile. */
const REVISIONS_A_STEP = 2_000;
const BYTES_A_STEP = 4 * 1024 * 1024;

export type LogLimits = Pick<Settings, 'logSeconds' | 'logBytes'>;

/**
 * Deletes the oldest revisions of the change log, by age and by size, in short transactions. The kept revisions start
 * at `oldest` and have no gap, so that a watch from there on receives every change [V3].
 */
export class LogCompaction {
  readonly #writer: Writer;
  readonly #limits: () => LogLimits;

  constructor(writer: Writer, limits: () => LogLimits) {
    this.#writer = writer;
    this.#limits = limits;
  }

  /** Returns whether more rows can be deleted. */
  step(): boolean {
    const { logSeconds, logBytes } = this.#limits();
    const { clock, meta, tables } = this.#writer;
    const newest = tables.log.lastEndOffset();
    const youngest = clock.now() - logSeconds * SECOND;
    const oldest = meta.number('oldest') ?? 1;
    let last: { revision: number; endOffset: number } | null = null;
    let begins: number | null = null;
    let rows = 0;
    let isFull = false;
    for (const row of tables.log.oldest(REVISIONS_A_STEP)) {
      const isKept = row.revision >= oldest && row.at >= youngest && newest - row.endOffset < logBytes;
      begins ??= row.endOffset;
      isFull = !isKept && row.endOffset - begins > BYTES_A_STEP;
      if (isKept || isFull) break;
      last = row;
      rows += 1;
    }
    if (last === null) return false;
    const { revision } = last;
    this.#writer.maintain(() => {
      tables.log.deleteThrough(revision);
      if (revision >= oldest) meta.set('oldest', revision + 1);
      tables.collectionNames.deleteBefore(revision + 1);
    });
    return isFull || rows === REVISIONS_A_STEP;
  }
}
