/**
 * Documents that expired in one commit, however many: an interval of an index table. Its entries are the history until
 * the sweep has listed them in `removals`, where a number is reserved for each, in the order of the table. Its row stays
 * until their rows are freed and their entries deleted.
 */
export interface ExpiredInterval {
  /** `removals.seq` of the first, and how many. */
  readonly first: number;
  readonly documents: number;
  readonly revision: number;
  readonly collection: number;
  /** `ttl_indexes.id`, or EXPLICIT_SOURCE. */
  readonly source: number;
  /** The index table; its entries with a reference time after `after` and up to `through` are the interval. */
  readonly table: number;
  readonly after: number;
  readonly through: number;
  /** JSON of the index's source as it was; of null for explicit expirations. */
  readonly definition: string;
  /** Deadline minus reference time, ms. */
  readonly addMs: number;
  /** The highest row number of the collection when it expired. */
  readonly lastRow: number;
  /** Epoch ms. */
  readonly removedAt: number;
  readonly pass: number;
  /** Epoch ms; 0: not restorable. */
  readonly keepUntilAt: number;
  /** So many of them are listed, up to the entry with this reference time and row. */
  readonly listed: number;
  readonly listedReference: number;
  readonly listedRow: number;
  /** 1: their rows and keys are freed. */
  readonly freed: 0 | 1;
  /** 1: no index has the table any more. */
  readonly retired: 0 | 1;
  /** Version of the reading rules that made its entries (shared/model/reading-rules.ts). */
  readonly rules: number;
}

/** SQL for the columns of an `ExpiredInterval`. */
export const INTERVAL_COLUMNS = `first, documents, revision, collection, source, index_table AS "table",
  after_reference AS after, through_reference AS through, definition, add_ms AS addMs, last_row AS lastRow,
  removed_at AS removedAt, pass, keep_until_at AS keepUntilAt, listed, listed_reference AS listedReference,
  listed_row AS listedRow, freed, retired, rules`;
