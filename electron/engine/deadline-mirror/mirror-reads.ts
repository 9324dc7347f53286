import type { Database } from 'better-sqlite3';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { DocumentFilter, DocumentRecord, Explanation } from '../../../shared/contract/documents.ts';
import type { ExpiredEntry, SeriesPoint } from '../../../shared/contract/metrics.ts';
import type { TimelineAnswer } from '../../../shared/contract/timeline.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import type {
  DocumentPage,
  DocumentQuery,
  ExpiredQuery,
  Reads,
  SeriesQuery,
  TimelineQuery,
} from '../backends/backend.ts';
import { deadlineFigures } from '../deadline-index/deadline-figures.ts';
import { ExpiryCountsReader } from '../deadline-index/expiry-counts-reader.ts';
import { TimelineCounts } from '../deadline-index/timeline-counts.ts';
import { readMetricSeries, STORE_SERIES } from '../metric-series/metric-series-table.ts';
import type { Clock } from '../platform/clock.ts';
import type { MirroredCollection, MirroredCollections } from './collections-table.ts';
import type { DeadlineEntries } from './deadline-entries.ts';
import type { DepartureRow, Departures } from './departures-table.ts';
import { readKeys } from './key-pages.ts';
import { explainKey, noSuchCollection, noSuchKey, recordOf, TTL } from './key-record.ts';
import type { MirroredKeys, StoredKey } from './keys-table.ts';
import { OtherCollections } from './other-collections.ts';

/** Ids on a page of `matchingIds`. */
const IDS_A_PAGE = 1_000;

/** Summaries that are read before other work gets a turn. */
const SUMMARIES_A_TURN = 200;

interface Parts {
  readonly db: Database;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly collections: MirroredCollections;
  readonly keys: MirroredKeys;
  readonly entries: DeadlineEntries;
  readonly departures: Departures;
  revision(): number;
}

/**
 * Answers of a mirror in the contract's shapes. Fields that do not apply to a remote store have a neutral value: it has
 * no indexes, holds, pauses or passes of Sandglass, and no copies of removed keys.
 */
export class MirrorReads implements Reads {
  readonly #parts: Parts;
  readonly #expiryCounts: ExpiryCountsReader;
  readonly #others: OtherCollections;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#expiryCounts = new ExpiryCountsReader(parts.db);
    this.#others = new OtherCollections(parts.db);
  }

  async summaries(names: readonly string[] | null, now: number): Promise<CollectionSummary[]> {
    const { collections } = this.#parts;
    const found =
      names === null
        ? collections.present()
        : names.map(name => collections.get(name)).filter(one => one !== undefined);
    found.sort((a, b) => (a.name < b.name ? -1 : 1));
    const summaries: CollectionSummary[] = [];
    for (const [i, one] of found.entries()) {
      // The summaries of ten thousand prefixes take half a second.
      if (i % SUMMARIES_A_TURN === SUMMARIES_A_TURN - 1) await new Promise(resolve => setImmediate(resolve));
      summaries.push(this.#summary(one, now));
    }
    return summaries;
  }

  /** Records of keys contain the type and no value. */
  async documents(query: DocumentQuery, now: number, signal?: AbortSignal): Promise<DocumentPage> {
    const { revision } = this.#parts;
    const page = await readKeys(this.#place(query.collection), query, { limit: query.limit, now, signal });
    return { ...page, revision: revision() };
  }

  async document(
    { collection, id, includeExpired }: { collection: string; id: string; includeExpired: boolean },
    now: number,
  ): Promise<DocumentRecord> {
    const record = recordOf(this.#key(collection, id), now);
    if (record.hidden && !includeExpired) throw noSuchKey(collection, id);
    return record;
  }

  async missing(
    collection: string,
    ids: readonly string[],
  ): Promise<{ missing: string[]; revision: number }> {
    const { keys, revision } = this.#parts;
    const { id: number } = this.#collection(collection);
    return {
      missing: ids.filter(id => keys.byId(id)?.collection !== number),
      revision: revision(),
    };
  }

  async matchingIds(
    { collection, filter, after }: { collection: string; filter: DocumentFilter; after: string | null },
    now: number,
    signal?: AbortSignal,
  ): Promise<{ ids: string[]; next: string | null }> {
    const choice = {
      sort: '_id' as const,
      order: 'asc' as const,
      includeExpired: false,
      ...filter,
      ...(after !== null && { after }),
    };
    const page = await readKeys(this.#place(collection), choice, { limit: IDS_A_PAGE, now, signal });
    return { ids: page.documents.map(({ _id }) => _id), next: page.next };
  }

  async explain(collection: string, id: string, now: number): Promise<Explanation> {
    return explainKey(this.#key(collection, id), now);
  }

  /**
   * One series for each of the largest collections, and one for all others; for a single collection, one series named
   * `ttl`. Throws BAD_REQUEST for an empty span.
   */
  async timeline(query: TimelineQuery, now: number): Promise<TimelineAnswer> {
    const { entries, revision } = this.#parts;
    const counts = new TimelineCounts(query, now);
    const [shown, others] =
      query.collection === undefined ? this.#largest() : [[this.#known(query.collection)], []];
    const seriesOf = ({ name }: MirroredCollection) => (query.collection === undefined ? name : TTL);
    for (const one of shown) {
      if (one.keys === 0) continue;
      const table = entries.of(one.id);
      if (query.collection === undefined && table.first() === null) continue;
      counts.addSeries({ id: seriesOf(one), label: seriesOf(one), paused: null });
      counts.addDeadlines(seriesOf(one), table, 0);
    }
    for (const one of shown) counts.addExpired(this.#expiryCounts, one.id, () => seriesOf(one));
    if (others.length > 0) this.#addTogether(counts, others);
    const answer = counts.answer();
    const { oldestOverdueAt } = answer;
    return {
      ...answer,
      revision: revision(),
      cutoff: oldestOverdueAt === null ? now : oldestOverdueAt - 1,
      actionDueAt: oldestOverdueAt,
      recounting: false,
    };
  }

  /** Returns the collections with a series of their own in the timeline of the store, and the others. */
  #largest(): [MirroredCollection[], MirroredCollection[]] {
    const all = [...this.#parts.collections.all()].sort((a, b) => b.keys - a.keys);
    return [all.slice(0, OWN_SERIES), all.slice(OWN_SERIES)];
  }

  #addTogether(counts: TimelineCounts, others: readonly MirroredCollection[]): void {
    const collections = others.filter(({ keys }) => keys > 0).length;
    const table = this.#others.together(others.map(({ id }) => id));
    counts.addSeries({ id: OTHERS, label: 'others', paused: null, collections });
    counts.addDeadlines(OTHERS, table, 0);
    counts.addExpired(this.#others.expired, table.number, () => OTHERS);
  }

  /** Removed keys, newest first; evicted keys are among the deleted ones. Throws BAD_REQUEST for a wrong `before`. */
  async expired(
    { collection, cause, before, limit }: ExpiredQuery,
    _now: number,
  ): Promise<{ expired: ExpiredEntry[]; next: string | null }> {
    const { departures } = this.#parts;
    const from = before === undefined ? Number.MAX_SAFE_INTEGER : Number(before);
    if (!Number.isSafeInteger(from)) {
      throw new SandglassError('BAD_REQUEST', '`before` takes the `next` of a page, unchanged.', { before });
    }
    const rows = departures.page({
      collection: collection === undefined ? null : this.#known(collection).id,
      causes: cause === undefined ? ALL : cause === 'expired' ? EXPIRED : DELETED,
      before: from,
      limit,
    });
    const last = rows.at(-1);
    return {
      expired: rows.map(row => this.#entry(row)),
      next: last === undefined || rows.length < limit ? null : String(last.seq),
    };
  }

  /** Points whose minute begins in the span, oldest first [M1]. Throws COLLECTION_NOT_FOUND. */
  async series({ collection, from, to }: SeriesQuery): Promise<SeriesPoint[]> {
    const id = collection === undefined ? STORE_SERIES : this.#known(collection).id;
    return readMetricSeries(this.#parts.db, id, { from, to });
  }

  #summary(collection: MirroredCollection, now: number): CollectionSummary {
    const { id, name, keys, bytes, createdAt } = collection;
    const { documents, overdue, firstAt, nextAt } = deadlineFigures(this.#parts.entries.of(id), 0, now);
    const oldestOverdueAt = overdue > 0 ? firstAt : null;
    return {
      name,
      documents: keys,
      bytes,
      withDeadline: documents,
      pinned: 0,
      overdue,
      oldestOverdueAt,
      actionDueAt: oldestOverdueAt,
      passEveryMs: null,
      quarantined: 0,
      nextDeadlineAt: nextAt,
      nextDeadlineFrom: nextAt === null ? null : TTL,
      ttlIndexes: 0,
      state: documents === 0 ? 'none' : 'running',
      paused: null,
      holds: [],
      recounting: false,
      createdAt,
    };
  }

  #entry({ seq, collection, id, deadlineAt, at, cause, revision }: DepartureRow): ExpiredEntry {
    const deadline = cause === 'expired' ? (deadlineAt ?? at) : at;
    return {
      _id: id,
      collection: this.#parts.collections.byId(collection)?.name ?? '',
      index: TTL,
      deadlineAt: deadline,
      removedAt: at,
      dueSinceAt: deadline,
      lagMs: Math.max(0, at - deadline),
      revision,
      position: 0,
      pass: 0,
      id: String(seq),
      action: 'delete',
      cause: cause === 'expired' ? 'expired' : 'deleted',
      ...(cause === 'evicted' && { isEvicted: true }),
      restorable: null,
      isRestored: false,
    };
  }

  #place(name: string) {
    const { keys, entries, clock } = this.#parts;
    const { id } = this.#collection(name);
    return { keys, clock, entries: entries.of(id), collection: id };
  }

  /** Throws COLLECTION_NOT_FOUND. */
  #collection(name: string): MirroredCollection {
    const found = this.#parts.collections.get(name);
    if (found === undefined) throw noSuchCollection(name);
    return found;
  }

  /** Like `#collection`, for a collection that may have lost all its keys. */
  #known(name: string): MirroredCollection {
    const found = this.#parts.collections.known(name);
    if (found === undefined) throw noSuchCollection(name);
    return found;
  }

  /** Throws COLLECTION_NOT_FOUND, DOCUMENT_NOT_FOUND. */
  #key(collection: string, id: string): StoredKey {
    const { id: number } = this.#collection(collection);
    const key = this.#parts.keys.byId(id);
    if (key === undefined || key.collection !== number) throw noSuchKey(collection, id);
    return key;
  }
}

/** Collections with a series of their own: a series takes 0.3 ms. The window has colours for fewer. */
const OWN_SERIES = 100;
/** Id of the series of all others; no collection has an empty name. */
const OTHERS = '';

const ALL = ['expired', 'evicted', 'deleted'] as const;
const EXPIRED = ['expired'] as const;
const DELETED = ['evicted', 'deleted'] as const;
