import type { Settings } from '../../../../../shared/contract/settings.ts';
import { CollectionNames } from '../tables/collection-names.ts';
import { SECOND } from '../tables/count-levels.ts';
import type { Writer } from '../write/writer.ts';

/** What one step lets go of at most: whoever writes waits meanwhile. */
const REVISIONS_A_STEP = 2_000;
const BYTES_A_STEP = 4 * 1024 * 1024;

export type LogLimits = Pick<Settings, 'logSeconds' | 'logBytes'>;

/**
 * Lets go of the oldest revisions of the change log, by age and by size, a short transaction at a time. What is
 * kept always begins at `oldest` and has no gap, so that a watch from there on is told everything [V3].
 */
export class LogCompaction {
  readonly #writer: Writer;
  readonly #limits: () => LogLimits;
  readonly #names: CollectionNames;
  readonly #sql;

  constructor(writer: Writer, limits: () => LogLimits) {
    this.#writer = writer;
    this.#limits = limits;
    this.#names = new CollectionNames(writer.db);
    this.#sql = prepare(writer);
  }

  /** True: there is more to let go of. */
  step(): boolean {
    const { logSeconds, logBytes } = this.#limits();
    const newest = this.#sql.ends.get() ?? 0;
    const youngest = this.#writer.clock.now() - logSeconds * SECOND;
    const oldest = this.#sql.oldest.get() ?? 1;
    let last: { revision: number; ends: number } | null = null;
    let begins: number | null = null;
    let rows = 0;
    for (const row of this.#sql.first.iterate(REVISIONS_A_STEP)) {
      const isKept = row.revision >= oldest && row.at >= youngest && newest - row.ends < logBytes;
      begins ??= row.ends;
      if (isKept || row.ends - begins > BYTES_A_STEP) break;
      last = row;
      rows += 1;
    }
    if (last === null) return false;
    const { revision, ends } = last;
    this.#writer.maintain(() => {
      this.#sql.delete.run(revision);
      if (revision >= oldest) this.#sql.setOldest.run(revision + 1);
      this.#names.forgetBefore(revision + 1);
    });
    return rows === REVISIONS_A_STEP || ends - (begins ?? 0) > BYTES_A_STEP / 2;
  }
}

function prepare({ db }: Writer) {
  return {
    first: db.prepare<[number], { revision: number; at: number; ends: number }>(
      'SELECT revision, at, ends FROM log ORDER BY revision LIMIT ?',
    ),
    ends: db.prepare<[], number>('SELECT ends FROM log ORDER BY revision DESC LIMIT 1').pluck(),
    oldest: db.prepare<[], number>(`SELECT value FROM meta WHERE key = 'oldest'`).pluck(),
    delete: db.prepare<[number]>('DELETE FROM log WHERE revision <= ?'),
    setOldest: db.prepare<[number]>(`UPDATE meta SET value = ? WHERE key = 'oldest'`),
  };
}
