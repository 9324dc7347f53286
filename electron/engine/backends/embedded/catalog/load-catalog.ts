import type { Database } from 'better-sqlite3';
import { holdRecord } from '../../../../../shared/contract/reaper.ts';
import { settingsAnswer } from '../../../../../shared/contract/settings.ts';
import { Meta } from '../tables/meta.ts';
import type { Catalog, CatalogCollection, CatalogHold } from './catalog.ts';
import { CatalogIndex, type IndexRow, parsePause, type SuccessorRow } from './catalog-index.ts';

const NOTHING_KNOWN: Pick<Catalog, 'collections'> = { collections: new Map() };

interface CollectionRow {
  id: number;
  name: string;
  created_at: number;
  paused: string | null;
  documents: number;
  bytes: number;
  explicit: number;
  recounted_through_row: number | null;
  resumed_at: number;
}

/**
 * Reads every definition: a few rows, however large the store is. Indexes of `known`, an earlier catalog, are reused if
 * their rows are the same, since parsing takes most of the time.
 */
export function loadCatalog(db: Database, known: Pick<Catalog, 'collections'> = NOTHING_KNOWN): Catalog {
  const meta = new Meta(db);
  const knownIndexes = new Map(
    [...known.collections.values()].flatMap(({ indexes }) => indexes.map(index => [index.id, index])),
  );
  const successors = new Map(
    db
      .prepare<[], SuccessorRow>('SELECT * FROM successors')
      .all()
      .map(row => [row.source, row]),
  );
  const rows = db
    .prepare<[], IndexRow>('SELECT * FROM ttl_indexes WHERE dropped_at IS NULL ORDER BY id')
    .all();
  const rowsOf = Map.groupBy(rows, ({ collection }) => collection);
  const indexOf = (row: IndexRow) => {
    const [same, successor] = [knownIndexes.get(row.id), successors.get(row.id)];
    return same?.isOf(row, successor) ? same : new CatalogIndex(row, successor);
  };
  const collections = new Map<string, CatalogCollection>();
  for (const row of db.prepare<[], CollectionRow>('SELECT * FROM collections ORDER BY name').all()) {
    collections.set(row.name, {
      id: row.id,
      name: row.name,
      createdAt: row.created_at,
      paused: parsePause(row.paused),
      documents: row.documents,
      bytes: row.bytes,
      explicit: row.explicit,
      resumedAt: row.resumed_at,
      recountedThroughRow: row.recounted_through_row,
      indexes: (rowsOf.get(row.id) ?? []).map(indexOf),
    });
  }
  return {
    paused: parsePause(meta.text('paused')),
    settings: settingsAnswer.parse(JSON.parse(meta.text('settings') ?? '{}')),
    holds: loadHolds(db),
    collections,
    byId: new Map([...collections.values()].map(one => [one.id, one])),
  };
}

interface HoldRow {
  id: number;
  collectionId: number;
  name: string | null;
  cause: string;
  index: string | null;
  since: number;
  by: string;
  due: number;
  documents: number;
  durationMs: number | null;
}

/** Leaves out holds of dropped collections, which apply again after a restore. */
function loadHolds(db: Database): CatalogHold[] {
  return db
    .prepare<[], HoldRow>(
      `SELECT h.id, h.collection AS collectionId, c.name, h.cause, i.name AS "index", h.since, h.by, h.due,
              h.documents, h.duration_ms AS durationMs
       FROM holds AS h LEFT JOIN collections AS c ON c.id = h.collection
            LEFT JOIN ttl_indexes AS i ON i.id = h.source
       WHERE h.collection = 0 OR c.id IS NOT NULL ORDER BY h.id`,
    )
    .all()
    .map(({ id, collectionId, name, ...rest }) => ({
      ...holdRecord.parse({ id: String(id), collection: name, ...rest }),
      collectionId: collectionId === 0 ? null : collectionId,
    }));
}
