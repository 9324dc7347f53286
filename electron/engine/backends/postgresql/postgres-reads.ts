import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { DocumentRecord, Explanation } from '../../../../shared/contract/documents.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import type { TimelineAnswer } from '../../../../shared/contract/timeline.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { DocumentPage, DocumentQuery, ExpiredQuery, Reads, TimelineQuery } from '../backend.ts';
import type { Catalog } from './catalog/catalog.ts';
import { readColumns } from './catalog/columns.ts';
import type { TableEntry } from './catalog/table-entry.ts';
import { isUnreachable } from './connection/postgres-failure.ts';
import type { Session } from './connection/session.ts';
import type { SessionPool } from './connection/session-pool.ts';
import { existingIds, withKeyOf } from './rows/row-keys.ts';
import { type ReadTable, readRow, readRowPage } from './rows/row-pages.ts';
import type { TableDeadlines } from './rows/table-deadlines.ts';

const IDS_A_PAGE = 1_000;

/** Lists the rows that were removed. */
export interface RemovedRows {
  list(query: ExpiredQuery): Promise<{ expired: ExpiredEntry[]; next: string | null }>;
}

interface Parts {
  readonly pool: SessionPool;
  readonly catalog: Catalog;
  /** Removed rows. */
  readonly expired: RemovedRows;
  readonly deadlines: TableDeadlines;
  revision(): number;
}

/** Reads rows from the server; counts of tables are its statistics. */
export class PostgresReads implements Reads {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async summaries(names: readonly string[] | null, now: number): Promise<CollectionSummary[]> {
    const { catalog, deadlines } = this.#parts;
    const wanted = names === null ? null : new Set(names);
    if (names === null || names.some(name => !catalog.has(name))) await this.#freshen();
    return catalog.all
      .filter(({ collection }) => wanted?.has(collection) ?? true)
      .map(entry => deadlines.summary(summaryOf(entry), entry, now));
  }

  /** While a server cannot be reached, the last reading is shown. */
  async #freshen(): Promise<void> {
    try {
      await this.#parts.catalog.freshen();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
    }
  }

  async documents(query: DocumentQuery, now: number, signal?: AbortSignal): Promise<DocumentPage> {
    const { limit, clip } = query;
    const page = await this.#read(query.collection, signal, (session, table) =>
      readRowPage(session, table, query, { limit, isClipped: clip !== undefined }),
    );
    return { ...page, now, revision: this.#parts.revision() };
  }

  async document({ collection, id }: { collection: string; id: string }): Promise<DocumentRecord> {
    return await this.#read(collection, undefined, (session, table) =>
      withKeyOf(table.entry, id, key => readRow(session, table, key)),
    );
  }

  async missing(
    collection: string,
    ids: readonly string[],
  ): Promise<{ missing: string[]; revision: number }> {
    const entry = await this.#parts.catalog.table(collection);
    const existing = await this.#parts.pool.use(session => existingIds(session, entry, ids));
    return { missing: ids.filter(id => !existing.has(id)), revision: this.#parts.revision() };
  }

  async matchingIds(
    { collection, filter, after }: Parameters<Reads['matchingIds']>[0],
    _now: number,
    signal?: AbortSignal,
  ): Promise<{ ids: string[]; next: string | null }> {
    const choice = {
      sort: '_id' as const,
      order: 'asc' as const,
      includeExpired: false,
      ...filter,
      ...(after !== null && { after }),
    };
    const { documents, next } = await this.#read(collection, signal, (session, table) =>
      readRowPage(session, { ...table, columns: filter.filter === undefined ? [] : table.columns }, choice, {
        limit: IDS_A_PAGE,
        isClipped: true,
      }),
    );
    return { ids: documents.map(({ _id }) => _id), next };
  }

  async explain(collection: string, id: string): Promise<Explanation> {
    const record = await this.document({ collection, id });
    return await this.#read(collection, undefined, (session, table) =>
      withKeyOf(table.entry, id, key => this.#parts.deadlines.explain(session, table.entry, { record, key })),
    );
  }

  async timeline(query: TimelineQuery, now: number): Promise<TimelineAnswer> {
    const { pool, catalog, deadlines, revision } = this.#parts;
    const { collection, from, to } = query;
    if (collection !== undefined) await catalog.table(collection);
    if (!(to > from)) throw new SandglassError('BAD_REQUEST', '`to` lies after `from`.', { from, to });
    return await pool.read(session => deadlines.timeline(session, query, { now, revision: revision() }));
  }

  expired(query: ExpiredQuery): Promise<{ expired: ExpiredEntry[]; next: string | null }> {
    return this.#parts.expired.list(query);
  }

  async #read<Result>(
    collection: string,
    signal: AbortSignal | undefined,
    work: (session: Session, table: ReadTable) => Promise<Result>,
  ): Promise<Result> {
    const { catalog, pool } = this.#parts;
    const entry = await catalog.table(collection);
    const result = await pool.read(async session => {
      const columns = await readColumns(session, entry);
      const deadlines = await this.#parts.deadlines.ofRows(session, entry);
      return await work(session, { entry, columns, deadlines });
    });
    if (signal?.aborted === true) throw new SandglassError('CANCELLED', 'The caller is gone.');
    return result;
  }
}

function summaryOf({ collection, rows, bytes }: TableEntry): CollectionSummary {
  return {
    name: collection,
    documents: rows,
    bytes,
    withDeadline: 0,
    pinned: 0,
    overdue: 0,
    oldestOverdueAt: null,
    actionDueAt: null,
    passEveryMs: null,
    quarantined: 0,
    nextDeadlineAt: null,
    nextDeadlineFrom: null,
    ttlIndexes: 0,
    state: 'none',
    paused: null,
    holds: [],
    recounting: false,
    createdAt: 0,
  };
}
