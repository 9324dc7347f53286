import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import type { StaleEntries } from '../../../expiry/expiry-store.ts';
import type { Statement } from '../file/database.ts';
import type { StoredBody } from '../tables/documents/stored-json.ts';
import type { ExpiredInterval } from '../tables/removals/expired-interval.ts';
import { isStaleIn } from '../tables/removals/expired-intervals.ts';
import type { NewDeletion } from '../tables/removals/packed-removals.ts';
import type { Writer } from '../write/writer.ts';

/** Expiries that one slice lists. */
const SLICE = 256;
/** Bytes of documents that one slice copies; a single one may be larger. */
const COPIED_PER_SLICE = 256 * 1024;

type Row = [
  reference: number,
  row: number,
  bytes: number,
  id: string | null,
  explicitAt: number | null,
  isLate: number,
  body: StoredBody | null,
];
type Entries = Statement<[reference: number, row: number, through: number, limit: number], Row>;

type Deletion = NewDeletion & { readonly body: StoredBody | null };

/** Keeps restorable copies [X4]. */
export interface ListedCopies {
  /** Whether documents with this end of retention are still to be copied. */
  isKept(keepUntilAt: number): boolean;
  /** Keeps the documents of one row of `removals`, in its order. */
  keepAll(seq: number, keepUntilAt: number, bodies: readonly (StoredBody | null)[]): void;
}

/**
 * Lists the documents of expired intervals in `removals`, under the numbers that are reserved for them and in the order
 * of the index table, and copies those that can be restored while their rows are read. Written inside transactions of the
 * caller.
 */
export class IntervalListing {
  readonly #writer: Writer;
  readonly #copies: ListedCopies;
  readonly #onStaleEntries: (stale: StaleEntries) => void;
  /** Stale entries of the interval that is being listed. */
  #stale = 0;
  readonly #late: Statement<[number], unknown>;
  readonly #entries = new Map<string, Entries>();
  readonly #sizes = new Map<number, Statement<[number, number, number, number], number>>();

  constructor(writer: Writer, copies: ListedCopies, onStaleEntries: (stale: StaleEntries) => void) {
    this.#writer = writer;
    this.#copies = copies;
    this.#onStaleEntries = onStaleEntries;
    this.#late = writer.db.prepare('SELECT 1 FROM late_entries WHERE index_table = ? LIMIT 1');
  }

  /** Yields slice by slice until no interval is unlisted, also those that begin meanwhile. */
  *listAll(): Generator<void, void> {
    const { intervals } = this.#writer.tombstones;
    for (let [interval] = intervals.unlisted; interval !== undefined; [interval] = intervals.unlisted) {
      this.#listSome(interval);
      yield;
    }
    this.#entries.clear();
    this.#sizes.clear();
  }

  #listSome(interval: ExpiredInterval): void {
    const { first, documents, listed, listedReference, listedRow, through, keepUntilAt } = interval;
    const isKept = this.#copies.isKept(keepUntilAt);
    const most = isKept ? this.#copiedAtOnce(interval) : SLICE;
    const rows = this.#entriesOf(interval, isKept).all(listedReference, listedRow, through, most);
    const [lastReference, lastRow] = rows.at(-1) ?? [through, listedRow];
    // Without a row, an entry was lost with a damaged page: its number stays unused.
    const upTo = rows.length < most ? documents : listed + rows.length;
    const { expiredIntervals } = this.#writer.tables;
    const ends = expiredIntervals.takeRetention(first + listed, first + upTo);
    const endOf = new Map(ends.map(({ seq: of, keepUntilAt: end }) => [of, end]));
    let seq = first + listed;
    let run: Deletion[] = [];
    const endRun = () => {
      if (run.length > 0) this.#insert(interval, run, seq - run.length, isKept);
      run = [];
    };
    for (const [reference, row, bytes, id, explicitAt, isLate, body] of rows) {
      if (id === null || isLate === 1 || isStaleIn(interval, { reference, explicitAt })) {
        endRun();
        if (id !== null) this.#takeBack(interval, bytes);
      } else run.push({ row, id, reference, bytes, body, keepUntilAt: endOf.get(seq) });
      seq += 1;
    }
    endRun();
    expiredIntervals.setListed(first, upTo, { reference: lastReference, row: lastRow });
    if (upTo === documents) this.#reportStale(interval);
  }

  #reportStale({ collection: id, source }: ExpiredInterval): void {
    const entries = this.#stale;
    this.#stale = 0;
    const collection = this.#writer.catalog.byId.get(id);
    if (entries === 0 || collection === undefined) return;
    const index = collection.indexes.find(one => one.id === source)?.name ?? EXPLICIT;
    this.#onStaleEntries({ collection: collection.name, index, entries });
  }

  #insert(
    { revision, first, collection, source, addMs, removedAt, pass, keepUntilAt }: ExpiredInterval,
    deletions: readonly Deletion[],
    seq: number,
    isKept: boolean,
  ): void {
    const shared = { revision, first, collection, source, addMs, at: removedAt, pass };
    this.#writer.tables.removals.insertDeletions(
      { ...shared, keepUntilAt: isKept ? keepUntilAt : 0 },
      deletions,
      seq,
      (start, part) => {
        if (isKept)
          this.#copies.keepAll(
            start,
            keepUntilAt,
            part.map(({ body, keepUntilAt: end }) => (end === undefined ? body : null)),
          );
      },
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

  /** Returns how many of the next documents are copied at once. */
  #copiedAtOnce({ table, listedReference, listedRow, through }: ExpiredInterval): number {
    let sizes = this.#sizes.get(table);
    if (sizes === undefined) {
      sizes = this.#writer.db
        .prepare<[number, number, number, number], number>(
          `SELECT bytes FROM entries_${table}
           WHERE (reference, row) > (?, ?) AND reference <= ? ORDER BY reference, row LIMIT ?`,
        )
        .pluck();
      this.#sizes.set(table, sizes);
    }
    let bytes = 0;
    const found = sizes.all(listedReference, listedRow, through, SLICE);
    const beyond = found.findIndex(size => {
      bytes += size;
      return bytes > COPIED_PER_SLICE;
    });
    return beyond < 0 ? SLICE : Math.max(1, beyond);
  }

  #entriesOf({ table, collection }: ExpiredInterval, isKept: boolean): Entries {
    const hasLate = this.#late.get(table) !== undefined;
    const key = `${table} ${isKept} ${hasLate}`;
    let entries = this.#entries.get(key);
    if (entries === undefined) {
      entries = this.#writer.db
        .prepare<[number, number, number, number], Row>(
          `SELECT e.reference, e.row, e.bytes, d.id, d.explicit_at,
             ${hasLate ? isLate(table) : '0'}, ${isKept ? 'd.body' : 'NULL'}
           FROM entries_${table} AS e LEFT JOIN documents_${collection} AS d ON d.row = e.row
           WHERE (e.reference, e.row) > (?, ?) AND e.reference <= ? ORDER BY e.reference, e.row LIMIT ?`,
        )
        .raw();
      this.#entries.set(key, entries);
    }
    return entries;
  }
}

/** SQL for whether a living document has the entry `e`. */
function isLate(table: number): string {
  return `EXISTS (SELECT 1 FROM late_entries AS l
    WHERE l.index_table = ${table} AND l.reference = e.reference AND l.row = e.row)`;
}
