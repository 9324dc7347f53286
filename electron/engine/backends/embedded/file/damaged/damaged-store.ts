import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { storedDefinition } from '../../../../../../shared/contract/ttl-indexes.ts';
import { SandglassError } from '../../../../../../shared/model/errors.ts';
import { parseJson } from '../../../../../../shared/model/json/json.ts';
import type { TtlIndexDefinition } from '../../../../../../shared/model/ttl-index.ts';
import type {
  DamagedCollection,
  DamagedFile,
  ExpirationOnArrival,
  FileWorkOptions,
  Incoming,
} from '../../../backend.ts';
import {
  bodyText,
  readAction,
  type StoredAction,
  type StoredBody,
} from '../../tables/documents/stored-json.ts';
import { MIGRATIONS, userVersion } from '../migrate.ts';
import { takeOwnership } from '../ownership.ts';
import { copyDamaged } from './damaged-copy.ts';
import { DamagedRemovals } from './damaged-removals.ts';
import { attempt, isUnreadable, readable, rowsOf } from './readable-rows.ts';
import { rebuildFromPages } from './rebuild-from-pages.ts';

/** Documents that are returned at once. */
const PAGE = 200;
/** Pin in `explicit_at`. */
const NEVER = -1;

interface Row {
  row: number;
  updated_at: number;
  explicit_at: number | null;
  explicit_after: number | null;
  explicit_action: StoredAction | null;
  body: StoredBody;
}

/**
 * Reads a damaged store from a copy of its file, table by table: what a damaged page hides is left out, and everything else is
 * found. A document that was removed and not yet swept is left out too.
 */
export class DamagedStore implements DamagedFile {
  /**
   * Copies the store to `copy`, which `close` deletes. If its list of tables is damaged, the pages tell what they have. Throws
   * STORE_IN_USE if it is open, STORE_UNREADABLE if nothing can be read, DISK_FULL, CANCELLED.
   */
  static async open(file: string, copy: string, options: FileWorkOptions): Promise<DamagedStore> {
    const release = ownershipOf(file);
    try {
      deleteCopy(copy);
      const lost = await copyDamaged(file, copy, options);
      refuseOtherVersion(file, copy);
      if (!isListWhole(copy) && !(await rebuildFromPages(copy, options.signal))) throw nothingReadable(file);
      return new DamagedStore(copy, lost);
    } catch (error) {
      deleteCopy(copy);
      throw error;
    } finally {
      release();
    }
  }

  readonly unreadableBytes: number;
  readonly collections: readonly DamagedCollection[];
  readonly #db: Database;
  readonly #copy: string;
  readonly #removals: DamagedRemovals;

  private constructor(copy: string, unreadableBytes: number) {
    this.unreadableBytes = unreadableBytes;
    this.#copy = copy;
    this.#db = openCopy(copy);
    this.#removals = new DamagedRemovals(this.#db);
    this.collections = this.#readCollections();
  }

  /** Documents of a collection, in no order. One whose text is damaged is returned as it is: a store refuses it. */
  *documents({ number }: DamagedCollection): Iterable<Incoming[]> {
    let page: Incoming[] = [];
    const table = { table: `documents_${number}`, key: 'row', columns: COLUMNS, keyOf };
    for (const row of rowsOf<Row>(this.#db, table)) {
      if (this.#isDead(number, row)) continue;
      page.push(incoming(row));
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }

  #isDead(collection: number, { row, updated_at: updatedAt, explicit_at: explicitAt, body }: Row): boolean {
    return this.#removals.isDead(collection, { row, updatedAt, explicitAt, body });
  }

  get lostRemovals(): number {
    return this.#removals.lost;
  }

  get hasLostRemovalRows(): boolean {
    return this.#removals.hasLostRows;
  }

  close(): void {
    this.#db.close();
    deleteCopy(this.#copy);
  }

  #readCollections(): DamagedCollection[] {
    const named = new Map<number, { name: string; recorded: number }>();
    for (const { id, name, documents } of readable<{ id: number; name: string; documents: number }>(
      this.#db,
      'SELECT id, name, documents FROM collections',
    ))
      named.set(id, { name, recorded: documents });
    const indexes = this.#readIndexes();
    const tables = readable<{ name: string }>(
      this.#db,
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'documents_[0-9]*'`,
    );
    const dropped = new Set(
      readable<{ id: number }>(this.#db, 'SELECT id FROM dropped_collections').map(({ id }) => id),
    );
    return tables.flatMap(({ name: table }) => {
      const number = Number(table.slice('documents_'.length));
      const known = named.get(number);
      // A table that was created ahead has no collection yet, and no documents.
      if (known === undefined && (dropped.has(number) || isEmpty(this.#db, table))) return [];
      const { name = `recovered-${number}`, recorded = null } = known ?? {};
      const found = indexes.get(number) ?? [];
      return [
        {
          number,
          name,
          recorded,
          indexes: found.flatMap(one => one ?? []),
          lostIndexes: found.filter(one => one === null).length,
        },
      ];
    });
  }

  /** By number of the collection; null: its definition cannot be read. */
  #readIndexes(): Map<number, (TtlIndexDefinition | null)[]> {
    const rows = readable<{ collection: number; name: string; definition: string }>(
      this.#db,
      'SELECT collection, name, definition FROM ttl_indexes WHERE dropped_at IS NULL',
    );
    const definitions = new Map<number, (TtlIndexDefinition | null)[]>();
    for (const { collection, name, definition } of rows) {
      const all = definitions.get(collection) ?? [];
      definitions.set(collection, [...all, readDefinition(name, definition)]);
    }
    return definitions;
  }
}

function readDefinition(name: string, text: string): TtlIndexDefinition | null {
  return attempt(() => ({ name, ...storedDefinition.parse(parseJson(text)) }));
}

function openCopy(copy: string): Database {
  const db = new Sqlite(copy);
  // A damaged definition of one table does not hide the others.
  db.pragma('writable_schema = ON');
  db.pragma('mmap_size = 0');
  return db;
}

/** Also moves the write-ahead log of the copy into its file: reading the version opens it, and closing its last connection moves it. */
function refuseOtherVersion(file: string, copy: string): void {
  const db = new Sqlite(copy);
  try {
    const version = userVersion(db);
    if (version === MIGRATIONS.length) return;
    throw new SandglassError(
      'STORE_UNREADABLE',
      `${basename(file)} has the format ${version} of another version of Sandglass; this one recovers format ${MIGRATIONS.length}. Use the version that wrote it.`,
      { version },
    );
  } finally {
    db.close();
  }
}

function nothingReadable(file: string): SandglassError {
  return new SandglassError(
    'STORE_UNREADABLE',
    `Nothing can be read of ${basename(file)}: no page of it has rows of a store. Restore a backup.`,
  );
}

/** Whether SQLite reads the list of tables, and it has those that name documents and hide removed ones. */
function isListWhole(copy: string): boolean {
  const db = openCopy(copy);
  try {
    const names = new Set(
      db.prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all(),
    );
    const ids = readable<{ id: number }>(db, 'SELECT id FROM collections');
    const needed = [
      'collections',
      'ttl_indexes',
      'meta',
      'removals',
      ...ids.map(({ id }) => `documents_${id}`),
    ];
    return needed.every(name => names.has(name));
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  } finally {
    db.close();
  }
}

/** Like `takeOwnership`, with an error that every reader of the job may see: without folders. */
function ownershipOf(file: string): () => void {
  try {
    return takeOwnership(file);
  } catch (error) {
    if (!(error instanceof SandglassError) || error.code !== 'STORE_IN_USE') throw error;
    throw new SandglassError('STORE_IN_USE', `${basename(file)} is open. Close it first.`);
  }
}

function deleteCopy(copy: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(copy + suffix, { force: true });
}

function isEmpty(db: Database, table: string): boolean {
  return attempt(() => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined) ?? false;
}

const COLUMNS = 'row, updated_at, explicit_at, explicit_after, explicit_action, body';

function keyOf({ row }: Row): number {
  return row;
}

function incoming(row: Row): Incoming {
  const expiration = expirationOf(row);
  return { text: bodyText(row.body), line: row.row, ...(expiration !== null && { expiration }) };
}

function expirationOf({ explicit_at: at, explicit_after, explicit_action }: Row): ExpirationOnArrival | null {
  if (at === null) return null;
  if (at === NEVER) return { kind: 'pin' };
  const onExpire = attempt(() => readAction(explicit_action));
  // Without its action a document is not deleted in its place.
  if (onExpire === null) return { kind: 'pin' };
  return { kind: 'at', at, afterMs: explicit_after, onExpire };
}
