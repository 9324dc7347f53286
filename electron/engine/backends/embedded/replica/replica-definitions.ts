import { z } from 'zod';
import { storedDefinition } from '../../../../../shared/contract/ttl-indexes.ts';
import { parseJson } from '../../../../../shared/model/json/json.ts';
import { READING_RULES_VERSION } from '../../../../../shared/model/reading-rules.ts';
import { sameReferenceTimes } from '../../../../../shared/model/ttl-index.ts';
import { dropIndexTable } from '../../../deadline-index/index-table.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import { type CatalogContent, DEFINITION_KEYS } from '../catalog/catalog-snapshot.ts';
import type { GovernedTables } from '../definitions/governed-tables.ts';
import { createDocumentTables, dropDocumentTables } from '../tables/documents/document-tables.ts';
import { EXPLICIT_SOURCE } from '../tables/explicit-source.ts';
import { createNextIndexTable } from '../tables/next-index-table.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { Writer } from '../write/writer.ts';

type LeaderIndex = CatalogContent['indexes'][number];

const localIndex = z.object({
  id: z.number(),
  collection: z.number(),
  definition: z.string(),
  built_through_row: z.number().nullable(),
  side: z.number(),
  governed_side: z.number().nullable(),
  dropped_at: z.number().nullable(),
});
type LocalIndex = z.infer<typeof localIndex>;

const ROWS_A_READ = 64;

/**
 * Replaces a mirror's definitions by those of its leader, with the same numbers, inside a transaction of the writer
 * [V5]. Side tables and counts, which belong to one store, are made here from the mirror's own documents.
 *
 * While the leader builds an index, the mirror builds it too, and it has no effect in either. When a catalog shows that
 * the index is ready, the mirror's is almost complete; the missing rows are entered in the transaction of that catalog.
 */
export class ReplicaDefinitions {
  readonly #writer: Writer;
  readonly #governedTables: GovernedTables;

  constructor(writer: Writer, governedTables: GovernedTables) {
    this.#writer = writer;
    this.#governedTables = governedTables;
  }

  /** Entries made by other reading rules: the mirror cannot replay onto them and is copied again. */
  get isOutdated(): boolean {
    return [...this.#writer.catalog.collections.values()].some(({ indexes }) =>
      indexes.some(index => index.isOutdated),
    );
  }

  /** Drops every collection and index of the mirror. */
  clear(): void {
    this.apply(null, { meta: {}, collections: [], indexes: [], holds: [] });
  }

  apply(transaction: Transaction | null, content: CatalogContent): void {
    const before = this.#governing();
    this.#applyMeta(content);
    this.#applyCollections(content);
    this.#applyIndexes(content);
    this.#writer.reloadDefinitions();
    if (this.#complete(content)) this.#writer.reloadDefinitions();
    const moved = [...this.#governing()].filter(([name, rules]) => before.get(name) !== rules);
    for (const [name] of moved) this.#governedTables.empty(name);
    if (moved.length > 0) this.#writer.reloadDefinitions();
    if (transaction !== null) transaction.changesCatalog = true;
  }

  /** Returns an index that must be complete for this catalog and is not yet; null if there is none. */
  incomplete(content: CatalogContent): { collection: string; index: string } | null {
    for (const { name, indexes } of this.#writer.catalog.collections.values()) {
      for (const index of indexes) {
        const leader = content.indexes.find(({ id }) => id === index.id);
        if (
          index.builtThroughRow !== null &&
          leader !== undefined &&
          isReady(leader) &&
          readsAlike(index, leader)
        )
          return { collection: name, index: index.name };
      }
    }
    return null;
  }

  /** Whether this catalog ends the collection or the index table of an interval that is not swept. */
  endsInterval(content: CatalogContent): boolean {
    const { catalog, tombstones } = this.#writer;
    const known = [...catalog.collections.values()].flatMap(({ indexes }) => indexes);
    return tombstones.intervals.all.some(({ collection, source }) => {
      if (!content.collections.some(({ id }) => id === collection)) return true;
      if (source === EXPLICIT_SOURCE) return false;
      const index = known.find(({ id }) => id === source);
      const leader = content.indexes.find(({ id }) => id === source);
      return index === undefined || leader === undefined || !isReady(leader) || !readsAlike(index, leader);
    });
  }

  /** Pauses, settings and holds of the leader: they are shown, although a mirror's reaper never runs. */
  #applyMeta({ meta, holds }: CatalogContent): void {
    const { tables } = this.#writer;
    tables.holds.deleteAll();
    for (const hold of holds) tables.holds.insertRow(hold);
    for (const key of DEFINITION_KEYS) if (meta[key] !== undefined) this.#writer.meta.set(key, meta[key]);
  }

  #applyCollections({ collections }: CatalogContent): void {
    const { db, tables } = this.#writer;
    const known = tables.collections.ids();
    for (const id of known) if (!collections.some(collection => collection.id === id)) this.#drop(id);
    for (const collection of collections) {
      if (known.includes(collection.id)) {
        tables.collections.updateRow(collection);
        continue;
      }
      const explicit = createNextIndexTable(db);
      tables.collections.insertRow({ ...collection, explicit, documents: 0, bytes: 0 });
      createDocumentTables(db, collection.id);
    }
  }

  #drop(id: number): void {
    const { db, tables } = this.#writer;
    for (const index of this.#indexesOf(id)) if (index.dropped_at === null) this.#dropTables(index);
    const explicit = db.prepare<[number], number>('SELECT explicit FROM collections WHERE id = ?').pluck();
    dropIndexTable(db, explicit.get(id) ?? 0);
    dropDocumentTables(db, id);
    tables.ttlIndexes.markDroppedOfCollection(id, 0);
    for (const table of [tables.expiryCounts, tables.passes, tables.quarantine])
      table.deleteSomeOfCollection(id, Number.MAX_SAFE_INTEGER);
    tables.collections.delete(id);
  }

  #applyIndexes(content: CatalogContent): void {
    const { db } = this.#writer;
    // The leader keeps the indexes of a restorable dropped collection; the mirror keeps only their names.
    const isHere = ({ collection }: LeaderIndex) => content.collections.some(({ id }) => id === collection);
    const indexes = content.indexes.map(index =>
      isHere(index) ? index : { ...index, dropped_at: index.dropped_at ?? 0 },
    );
    const known = new Map(
      z
        .array(localIndex)
        .parse(db.prepare('SELECT * FROM ttl_indexes').all())
        .map(index => [index.id, index]),
    );
    for (const [id, index] of known) {
      if (indexes.some(leader => leader.id === id)) continue;
      if (index.dropped_at === null) this.#dropTables(index);
      this.#release(index);
      this.#writer.tables.ttlIndexes.delete(id);
    }
    // Dropped indexes first: another index may have their name by now.
    for (const index of indexes.toSorted(
      (a, b) => Number(a.dropped_at === null) - Number(b.dropped_at === null),
    )) {
      this.#applyIndex(index, known.get(index.id));
    }
  }

  #applyIndex(leader: LeaderIndex, known: LocalIndex | undefined): void {
    const { db } = this.#writer;
    const { ttlIndexes } = this.#writer.tables;
    const wasThere = known !== undefined && known.dropped_at === null;
    if (leader.dropped_at !== null) {
      if (wasThere) {
        this.#dropTables(known);
        this.#release(known);
      }
      if (known === undefined) ttlIndexes.insertRow({ ...leader, side: 0, governed_side: null });
      else ttlIndexes.updateRow({ ...leader, governed_side: null });
      return;
    }
    if (!wasThere) {
      const rules = READING_RULES_VERSION;
      const row = {
        ...leader,
        side: createNextIndexTable(db),
        governed_side: null,
        built_through_row: 0,
        rules,
      };
      if (known === undefined) ttlIndexes.insertRow(row);
      else ttlIndexes.updateRow(row);
      return;
    }
    if (readsAlike(known, leader) && (isReady(leader) || known.built_through_row !== null)) {
      ttlIndexes.updateRow({ ...leader, built_through_row: known.built_through_row });
      return;
    }
    // A table of another number: readers know the definition of an interval by the number of its table.
    dropIndexTable(db, known.side);
    ttlIndexes.updateRow({ ...leader, side: createNextIndexTable(db), built_through_row: 0 });
    // Documents that it quarantines again are recorded again.
    this.#release(known);
  }

  /** Enters missing rows of indexes that are ready in the leader. Returns whether there were such indexes. */
  #complete({ indexes }: CatalogContent): boolean {
    const isMissing = ({ id, builtThroughRow }: CatalogIndex) =>
      builtThroughRow !== null && indexes.some(leader => leader.id === id && isReady(leader));
    const missing = [...this.#writer.catalog.collections.values()].flatMap(({ name, indexes: known }) =>
      known.filter(isMissing).map(({ id }) => ({ name, id })),
    );
    for (const { name, id } of missing) {
      const collection = this.#writer.collection(name);
      const maintained = collection.entries.indexes.find(({ index }) => index.id === id);
      if (maintained === undefined) continue;
      for (let row = maintained.builtThroughRow ?? 0; ; ) {
        const rows = collection.rowsAfter(row, ROWS_A_READ);
        const living = rows.filter(stored => !this.#writer.tombstones.isDead(collection.catalog.id, stored));
        maintained.table.addAll(
          living.flatMap(stored => collection.entries.inIndex(maintained, stored) ?? []),
        );
        row = rows.at(-1)?.row ?? row;
        if (rows.length < ROWS_A_READ) break;
      }
      this.#writer.tables.ttlIndexes.setBuilt(id, null);
    }
    return missing.length > 0;
  }

  /** By collection, everything that decides the governing index of a document. */
  #governing(): Map<string, string> {
    return new Map(
      [...this.#writer.catalog.collections.values()].map(({ id, name, indexes }) => {
        const acting = indexes.filter(index => index.isServing);
        const rules = acting.map(({ id: index, definition, isPaused }) => [
          index,
          definition.source,
          isPaused,
        ]);
        return [name, JSON.stringify([id, acting.length > 1 ? rules : null])];
      }),
    );
  }

  #indexesOf(collection: number): LocalIndex[] {
    return z
      .array(localIndex)
      .parse(this.#writer.db.prepare('SELECT * FROM ttl_indexes WHERE collection = ?').all(collection));
  }

  /** Releases an index's documents from quarantine. */
  #release({ id, collection }: LocalIndex): void {
    this.#writer.tables.quarantine.releaseSource(collection, id);
  }

  #dropTables({ side, governed_side: governedTable }: LocalIndex): void {
    dropIndexTable(this.#writer.db, side);
    if (governedTable !== null) dropIndexTable(this.#writer.db, governedTable);
  }
}

function isReady({ built_through_row, dropped_at }: LeaderIndex): boolean {
  return built_through_row === null && dropped_at === null;
}

/** Whether both read the same reference time from a document, so that entries of one are valid for the other. */
function readsAlike(known: LocalIndex | CatalogIndex, leader: LeaderIndex): boolean {
  return sameReferenceTimes(sourceOf(known.definition), sourceOf(leader.definition));
}

function sourceOf(definition: string | CatalogIndex['definition']): CatalogIndex['definition']['source'] {
  return typeof definition === 'string'
    ? storedDefinition.parse(parseJson(definition)).source
    : definition.source;
}
