import { z } from 'zod';
import {
  type ReplicaDocument,
  type ReplicaEntry,
  replicaDocument,
  replicaInterval,
} from '../../../../../shared/contract/replication.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import type { ReplicaEntries, ReplicaSnapshotPage } from '../../backend.ts';
import { writeCatalog } from '../catalog/catalog-snapshot.ts';
import type { Statement } from '../file/database.ts';
import { unpackChanges } from '../tables/change-log/packed-changes.ts';
import { ROW, rowToSend, type StoredRow } from '../tables/documents/stored-row.ts';
import { ACTIONS } from '../tables/removals/removal.ts';
import type { ReadConnection } from './read-connection.ts';

/** Size at which an answer ends, so that it fits a message; a single document may be 16 MiB. */
const ANSWER_CHARACTERS = 4 * 1024 * 1024;
/** Rows that one page of a snapshot examines, and time after which it ends: those of an expired interval are skipped, however many. */
const ROWS_A_PAGE = 10_000;
const PAGE_MS = 50;

const quarantined = replicaDocument.shape.quarantined;
const removed = z.array(z.object({ collection: z.number(), id: z.string() }));

interface EntryRow {
  revision: number;
  at: number;
  changes: string;
  removalsFrom: number;
  removals: number;
  removed: string;
  catalogVersion: number | null;
  catalog: string | null;
  interval: string | null;
}
type ImageRow = StoredRow & { collection: number; quarantined: string | null };

/** The leader's answers to its followers, each true of one revision [V5]. */
export class ReplicaReader {
  readonly #reader: ReadConnection;
  readonly #elapsed: () => number;
  readonly #sql;

  /** `elapsed`: monotonic time, ms. */
  constructor(reader: ReadConnection, elapsed: () => number) {
    this.#reader = reader;
    this.#elapsed = elapsed;
    this.#sql = prepare(reader);
  }

  /**
   * Returns whole revisions after `after`, without gaps. Throws REVISION_COMPACTED if the images do not reach back to
   * it, or if the store has not reached it: it is then not the store that was followed.
   */
  entries(after: number, limit: number): ReplicaEntries {
    const { revision, meta } = this.#reader;
    const oldest = Math.max(meta.number('imagesFrom') ?? revision + 1, meta.number('oldest') ?? 0);
    if (after + 1 < oldest || after > revision) throw outOfReach(after, oldest);
    const entries: ReplicaEntry[] = [];
    let characters = 0;
    for (const row of this.#sql.entries.iterate(after, Math.max(1, limit))) {
      const entry = this.#entryOf(row);
      entries.push(entry);
      characters += row.changes.length + (row.catalog?.length ?? 0);
      for (const { body } of entry.put) characters += body.length;
      if (characters >= ANSWER_CHARACTERS) break;
    }
    return { entries };
  }

  /**
   * Returns a page of stored documents by collection and row; `after` is `next` of the last page. A collection created
   * since the first page is in the log, and not here.
   */
  snapshot(after: string | null, limit: number): ReplicaSnapshotPage {
    const { revision, catalog } = this.#reader;
    const numbers = [...catalog.collections.values()].map(({ id }) => id).sort((a, b) => a - b);
    const from = after === null ? { collection: 0, row: 0, last: numbers.at(-1) ?? 0 } : placeOf(after);
    const documents: ReplicaDocument[] = [];
    const stopAt = this.#elapsed() + PAGE_MS;
    let characters = 0;
    let examined = 0;
    let place: { collection: number; row: number } = from;
    for (const collection of numbers) {
      if (collection < from.collection || collection > from.last) continue;
      const rows = this.#reader.db.prepare<[number], StoredRow>(
        `SELECT ${ROW} FROM documents_${collection} WHERE row > ? ORDER BY row`,
      );
      for (const stored of rows.iterate(collection === from.collection ? from.row : 0)) {
        const isFull = documents.length >= Math.max(1, limit) || characters >= ANSWER_CHARACTERS;
        const isLong = examined >= ROWS_A_PAGE || (examined > 0 && this.#elapsed() > stopAt);
        if (isFull || isLong)
          return this.#page(revision, after, documents, `${place.collection}.${place.row}.${from.last}`);
        examined += 1;
        place = { collection, row: stored.row };
        if (this.#reader.tombstones.isDead(collection, stored)) continue;
        documents.push({
          ...rowToSend(stored),
          collection,
          quarantined: this.#quarantinedOf(collection, stored.row),
        });
        characters += documents.at(-1)?.body.length ?? 0;
      }
    }
    return this.#page(revision, after, documents, null);
  }

  #page(
    revision: number,
    after: string | null,
    documents: ReplicaDocument[],
    next: string | null,
  ): ReplicaSnapshotPage {
    return { revision, catalog: after === null ? writeCatalog(this.#reader.db) : null, documents, next };
  }

  #entryOf(row: EntryRow): ReplicaEntry {
    const { revision, at } = row;
    if (row.interval !== null) {
      const interval = replicaInterval.parse(JSON.parse(row.interval));
      return { revision, at, interval, changes: [], catalog: null, put: [], removed: [], expired: [] };
    }
    const expired = this.#reader.removals
      .between(row.removalsFrom, row.removalsFrom + row.removals, row.removals)
      .map(removal => ({
        collection: removal.collection,
        id: removal.id,
        row: removal.row,
        source: removal.source,
        index: this.#sql.indexName.get(removal.source) ?? EXPLICIT,
        deadlineAt: removal.deadlineAt,
        pass: removal.pass,
        action: ACTIONS[removal.action] ?? ('delete' as const),
        gone: removal.gone === 1,
      }));
    let next = 0;
    const changes = unpackChanges(row.changes).map(({ collection, kind, id }) => ({
      collection,
      kind,
      id: (kind === 'expire' ? expired[next++]?.id : id) ?? '',
    }));
    if (next !== expired.length)
      throw new Error(`revision ${revision} has ${next} expiries and ${expired.length} entries of them`);
    return {
      revision,
      at,
      interval: null,
      changes,
      catalog:
        row.catalog === null || row.catalogVersion === null
          ? null
          : { version: row.catalogVersion, text: row.catalog },
      put: this.#sql.images.all(revision).map(({ collection, quarantined: quarantinedText, ...stored }) => ({
        ...rowToSend(stored),
        collection,
        quarantined: quarantinedText === null ? [] : quarantined.parse(JSON.parse(quarantinedText)),
      })),
      removed: removed.parse(JSON.parse(row.removed)),
      expired,
    };
  }

  #quarantinedOf(collection: number, row: number): ReplicaDocument['quarantined'] {
    return this.#reader.quarantine.of(collection, row).map(given => ({ ...given }));
  }
}

function placeOf(after: string): { collection: number; row: number; last: number } {
  const [, collection, row, last] = /^(\d+)\.(\d+)\.(\d+)$/.exec(after) ?? [];
  if (collection === undefined || row === undefined || last === undefined) {
    throw new SandglassError('BAD_REQUEST', '`after` takes the `next` of a page, unchanged.', {
      after,
    });
  }
  return { collection: Number(collection), row: Number(row), last: Number(last) };
}

function outOfReach(after: number, oldest: number): SandglassError {
  return new SandglassError(
    'REVISION_COMPACTED',
    `Revisions after ${after} are not kept for followers; the oldest kept is ${oldest}. Take a snapshot.`,
    { after, oldest },
  );
}

function prepare({ db }: ReadConnection) {
  const indexName: Statement<[number], string> = db
    .prepare<[number], string>('SELECT name FROM ttl_indexes WHERE id = ?')
    .pluck();
  return {
    entries: db.prepare<[number, number], EntryRow>(
      `SELECT l.revision, l.at, l.changes, l.removals_from AS removalsFrom, l.removals, i.removed,
              i.catalog_version AS catalogVersion, i.catalog, i.expired_interval AS interval
       FROM log_images AS i JOIN log AS l ON l.revision = i.revision
       WHERE i.revision > ? ORDER BY i.revision LIMIT ?`,
    ),
    indexName,
    images: db.prepare<[number], ImageRow>(
      `SELECT collection, id, row, updated_at AS updatedAt, explicit_at AS explicitAt, explicit_after AS explicitAfterMs,
              explicit_action AS explicitAction, body, quarantined
       FROM document_images WHERE revision = ? ORDER BY seq`,
    ),
  };
}
