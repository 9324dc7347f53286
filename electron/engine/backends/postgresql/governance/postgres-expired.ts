import type { ExpiredEntry } from '../../../../../shared/contract/metrics.ts';
import { NEVER } from '../../../expiry/deadline.ts';
import type {
  ExpiredPage,
  ExpiredQuery,
  ExpiredSpan,
  RemoteExpired,
  RestoreOptions,
  RestoreResult,
} from '../../backend.ts';
import { readExplicitInstant } from '../../port/explicit-instant.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { SessionPool } from '../connection/session-pool.ts';
import { restoreRemoved } from '../governed/restore/restore-removed.ts';
import {
  findRestorable,
  lastRemovalId,
  readRemovals,
  type StoredRemoval,
} from '../governed/schema/removed-table.ts';
import { readTables } from '../governed/table-facts.ts';
import { idOfKey } from '../rows/row-id.ts';
import type { GovernanceWatch } from './governance-watch.ts';
import { schemaMissing } from './schema-missing.ts';

interface Parts {
  readonly pool: SessionPool;
  readonly catalog: Catalog;
  readonly watch: GovernanceWatch;
  revision(): number;
  /** Rows of these collections were restored. */
  onRestored(collections: ReadonlySet<string>): void;
}

/** Removals that a page of `find` examines. */
const PAGE = 2_000;

/** Rows and partitions that were removed, and can be restored [X4]. */
export class PostgresExpired implements RemoteExpired {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list({
    collection,
    cause,
    before,
    limit,
  }: ExpiredQuery): Promise<{ expired: ExpiredEntry[]; next: string | null }> {
    const { pool, watch } = this.#parts;
    const oid = await this.#oidOf(collection ?? null);
    if (!watch.snapshot.hasSchema || cause === 'deleted') return { expired: [], next: null };
    return pool.read(async session => {
      const found = await readRemovals(session, { oid, before: before ?? null, limit });
      const tables = await readTables(session, [...new Set(found.map(removal => removal.oid))]);
      const expired = found.map(removal => toEntry(removal, tables.get(removal.oid)?.collection ?? ''));
      return { expired, next: found.length < limit ? null : (found.at(-1)?.id ?? null) };
    });
  }

  async find(
    { collection, index, removedFrom, removedTo, cause, throughId }: ExpiredSpan,
    { cursor, order }: { cursor: number | null; order: 'asc' | 'desc' },
  ): Promise<ExpiredPage> {
    const oid = typeof collection === 'number' ? collection : await this.#oidOf(collection);
    if (cause === 'deleted') return { ids: [], cursor: null };
    const span = { oid, name: index ?? null, from: removedFrom ?? null, to: removedTo ?? null };
    const ids = await this.#parts.pool.use(session =>
      findRestorable(session, { ...span, throughId: throughId ?? null }, { cursor, order, limit: PAGE }),
    );
    return { ids: ids.map(String), cursor: ids.length < PAGE ? null : (ids.at(-1) ?? null) };
  }

  lastId(): Promise<number> {
    if (!this.#parts.watch.snapshot.hasSchema) throw schemaMissing();
    return this.#parts.pool.use(lastRemovalId);
  }

  async restore(
    ids: readonly string[],
    { expiration, onConflict, choices, by = '' }: RestoreOptions & { by?: string | undefined },
  ): Promise<RestoreResult> {
    const { pool, watch, revision, onRestored } = this.#parts;
    const { at } = readExplicitInstant(expiration, watch.now);
    const { failed, collections } = await pool.use(async session => {
      const result = await restoreRemoved(session, ids, {
        expiration: at === NEVER || at === null ? 'never' : at,
        by,
        replaces: id => (choices[id] ?? onConflict) === 'replace',
      });
      const tables = await readTables(session, [...result.changed]);
      return { ...result, collections: new Set([...tables.values()].map(({ collection }) => collection)) };
    });
    onRestored(collections);
    return {
      succeeded: ids.length - failed.length,
      failed: failed.map(({ id, removal, code, message }) => ({
        _id: removal === null ? id : idOfKey(removal.key),
        code,
        message,
      })),
      revision: revision(),
    };
  }

  async #oidOf(collection: string | null): Promise<number | null> {
    return collection === null ? null : (await this.#parts.catalog.table(collection)).oid;
  }
}

function toEntry(removal: StoredRemoval, collection: string): ExpiredEntry {
  const { id, key, name, action, deadlineAt, dueSinceAt, removedAt, until, bytes, isRestored } = removal;
  const { partition, partitionRows } = removal;
  return {
    _id: partition ?? idOfKey(key),
    collection,
    index: name,
    deadlineAt: Math.floor(deadlineAt),
    removedAt,
    dueSinceAt,
    lagMs: Math.max(0, removedAt - Math.floor(deadlineAt)),
    revision: 0,
    position: 0,
    pass: 0,
    id,
    action,
    cause: 'expired',
    ...(partition !== null && { partition: { rows: partitionRows ?? 0 } }),
    restorable: until === null ? null : { until, bytes: bytes ?? 0 },
    isRestored,
  };
}
