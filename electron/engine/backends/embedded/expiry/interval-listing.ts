import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import type { StaleEntries } from '../../../expiry/expiry-store.ts';
import type { Statement } from '../file/database.ts';
import { type ExpiredInterval, isStaleIn } from '../tables/removals/expired-intervals.ts';
import type { Writer } from '../write/writer.ts';

/** Expiries that one slice lists. */
const SLICE = 128;

type Row = [
  reference: number,
  row: number,
  bytes: number,
  id: string | null,
  explicitAt: number | null,
  isLate: number,
];

/**
 * Lists the documents of expired intervals in `removals`, under the numbers that are reserved for them and in the order
 * of the index table. Written inside transactions of the caller.
 */
export class IntervalListing {
  readonly #writer: Writer;
  readonly #onStaleEntries: (stale: StaleEntries) => void;
  /** Stale entries of the interval that is being listed. */
  #stale = 0;
  readonly #entries = new Map<number, Statement<[number, number, number, number], Row>>();

  constructor(writer: Writer, onStaleEntries: (stale: StaleEntries) => void) {
    this.#writer = writer;
    this.#onStaleEntries = onStaleEntries;
  }

  /** Yields slice by slice until no interval is unlisted, also those that begin meanwhile. */
  *listAll(): Generator<void, void> {
    const { intervals } = this.#writer.tombstones;
    for (let [interval] = intervals.unlisted; interval !== undefined; [interval] = intervals.unlisted) {
      this.#listSome(interval);
      yield;
    }
    this.#entries.clear();
  }

  #listSome(interval: ExpiredInterval): void {
    const { first, documents, listed, listedReference, listedRow, through } = interval;
    const { expiredIntervals } = this.#writer.tables;
    const rows = this.#entriesOf(interval).all(listedReference, listedRow, through, SLICE);
    const [lastReference, lastRow] = rows.at(-1) ?? [through, listedRow];
    let seq = first + listed;
    let run: { row: number; id: string; reference: number }[] = [];
    const endRun = () => {
      if (run.length > 0) this.#insert(interval, run, seq - run.length);
      run = [];
    };
    for (const [reference, row, bytes, id, explicitAt, isLate] of rows) {
      if (id === null || isLate === 1 || isStaleIn(interval, { reference, explicitAt })) {
        endRun();
        if (id !== null) this.#takeBack(interval, bytes);
      } else run.push({ row, id, reference });
      seq += 1;
    }
    endRun();
    // Without a row, an entry was lost with a damaged page: its number stays unused.
    const upTo = rows.length < SLICE ? documents : listed + rows.length;
    for (const { seq: set, keepUntilAt } of expiredIntervals.takeRetention(first + listed, first + upTo))
      this.#writer.tables.removals.setRetention(set, keepUntilAt);
    expiredIntervals.setListed(first, upTo, { reference: lastReference, row: lastRow });
    if (upTo === documents) this.#reportStale(interval);
  }

  #reportStale({ collection: id, source }: ExpiredInterval): void {
    const entries = this.#stale;
    this.#stale = 0;
    const collection = [...this.#writer.catalog.collections.values()].find(one => one.id === id);
    if (entries === 0 || collection === undefined) return;
    const index = collection.indexes.find(one => one.id === source)?.name ?? EXPLICIT;
    this.#onStaleEntries({ collection: collection.name, index, entries });
  }

  #insert(
    { first, revision, collection, source, addMs, removedAt, pass, keepUntilAt }: ExpiredInterval,
    entries: readonly { row: number; id: string; reference: number }[],
    seq: number,
  ): void {
    this.#writer.tables.removals.insertDeletions(
      { revision, first, collection, source, addMs, at: removedAt, pass, keepUntilAt },
      entries,
      seq,
    );
  }

  /**
   * Counts a document again whose entry should not have existed, such as one with an explicit expiration, which outranks
   * the index [A6, E1]. It was never removed.
   */
  #takeBack({ collection }: ExpiredInterval, bytes: number): void {
    this.#stale += 1;
    this.#writer.tables.collections.addCounts(collection, 1, bytes);
  }

  #entriesOf({ table, collection }: ExpiredInterval): Statement<[number, number, number, number], Row> {
    let entries = this.#entries.get(table);
    if (entries === undefined) {
      entries = this.#writer.db
        .prepare<[number, number, number, number], Row>(
          `SELECT e.reference, e.row, e.bytes, d.id, d.explicit_at, EXISTS
             (SELECT 1 FROM late_entries AS l
              WHERE l.index_table = ${table} AND l.reference = e.reference AND l.row = e.row)
           FROM entries_${table} AS e LEFT JOIN documents_${collection} AS d ON d.row = e.row
           WHERE (e.reference, e.row) > (?, ?) AND e.reference <= ? ORDER BY e.reference, e.row LIMIT ?`,
        )
        .raw();
      this.#entries.set(table, entries);
    }
    return entries;
  }
}
