import { OUTSIDE_COPIES, type PurgeRecord } from '../../../../../shared/contract/expired.ts';
import type { PurgeMark } from '../../../../../shared/contract/replication.ts';
import type { Followers, LoggedDocument, PurgeStore } from '../../backend.ts';
import type { Statement } from '../file/database.ts';
import { vacuum } from '../file/file-work.ts';
import { CollectionNames } from '../tables/collection-names.ts';
import { redactChanges } from '../tables/packed-changes.ts';
import type { Retained } from '../tables/retained-copies.ts';
import type { Writer } from '../write/writer.ts';
import type { PurgeConfirmations } from './purge-confirmations.ts';

const REVISIONS_AT_ONCE = 500;
/** Each may be 16 MiB. */
const IMAGES_AT_ONCE = 16;

export interface PurgeNeeds {
  writer: Writer;
  retained: Retained;
  followers: Pick<Followers, 'list'>;
  confirmations: PurgeConfirmations;
}

/**
 * Erases what expired from copies, log and file [X4]. The file is written anew (VACUUM): what SQLite frees stays in it
 * until it is written over, and even `secure_delete` leaves the remains of rows that it moved from page to page.
 */
export class EmbeddedPurges implements PurgeStore {
  readonly #writer: Writer;
  readonly #retained: Retained;
  readonly #names: CollectionNames;
  readonly #followers: Pick<Followers, 'list'>;
  readonly #confirmations: PurgeConfirmations;
  readonly #sql;

  constructor({ writer, retained, followers, confirmations }: PurgeNeeds) {
    this.#writer = writer;
    this.#retained = retained;
    this.#followers = followers;
    this.#confirmations = confirmations;
    this.#names = new CollectionNames(writer.db);
    this.#sql = prepare(writer);
  }

  get lastId(): number {
    return this.#sql.last.get() ?? 0;
  }

  letGo(ids: readonly string[]): void {
    this.#writer.maintain(() => {
      for (const id of ids) this.#retained.release(Number(id));
    });
  }

  isSwept(throughId: number): boolean {
    return this.#sql.unswept.get(throughId) === undefined;
  }

  erase(ids: readonly string[]): LoggedDocument[] {
    return this.#writer.maintain(() => ids.flatMap(id => this.#sql.erase.all(Number(id))));
  }

  redact(isErased: (change: LoggedDocument) => boolean, afterRevision: number): number | null {
    const numberOf = this.#names.reader();
    return this.#writer.maintain(() => {
      const rows = this.#sql.log.all(afterRevision, REVISIONS_AT_ONCE);
      for (const { revision, changes } of rows) {
        const redacted = redactChanges(changes, (name, _id) => {
          const collection = numberOf(name, revision);
          return collection !== null && isErased({ collection, _id, revision });
        });
        if (redacted !== null) this.#sql.redact.run(redacted, revision);
      }
      return rows.at(-1)?.revision ?? null;
    });
  }

  forgetImages(throughRevision: number): boolean {
    if (this.#sql.image.get(throughRevision) === undefined) return false;
    const from = this.#sql.imagesFrom.get() ?? null;
    if (from !== null && from <= throughRevision) {
      this.#writer.transactOnFullDisk(transaction => {
        transaction.isBeyondImages = true;
        transaction.changesCatalog = true;
      });
    }
    return this.#writer.maintain(() => {
      const images = this.#sql.dropImages.run(throughRevision, IMAGES_AT_ONCE).changes;
      // Its row goes last: it says that there is something left.
      if (images > 0) return true;
      return this.#sql.dropImageRows.run(throughRevision, REVISIONS_AT_ONCE).changes > 0;
    });
  }

  rewriteFile(): void {
    const { db } = this.#writer;
    this.#writer.attempt(() => vacuum(db.name));
  }

  emptyLog(): boolean {
    const { db } = this.#writer;
    const patience = db.pragma('busy_timeout', { simple: true });
    db.pragma('busy_timeout = 0');
    try {
      return this.#writer.attempt(() => db.pragma('wal_checkpoint(TRUNCATE)', { simple: true })) === 0;
    } finally {
      db.pragma(`busy_timeout = ${Number(patience)}`);
    }
  }

  get latest(): PurgeMark | null {
    return this.#confirmations.latest;
  }

  confirm(follower: string, throughPurge: number): void {
    this.#confirmations.confirm(follower, throughPurge);
  }

  record({ by, documents, collection }: Parameters<PurgeStore['record']>[0]): PurgeRecord {
    const row = this.#writer.transactOnFullDisk(transaction => {
      const { at, revision } = transaction;
      const id = Number(this.#sql.record.run(at, by, documents, revision, collection).lastInsertRowid);
      const followers = this.#followers.list().map(({ name }) => name);
      this.#confirmations.expect(id, followers, at);
      transaction.changesCatalog = true;
      return { id, collection, by, documents, erasedAt: at, purgedAt: followers.length === 0 ? at : null };
    });
    this.#confirmations.reload();
    return recordOf(row, this.#confirmations.byPurge().get(row.id));
  }

  list(): PurgeRecord[] {
    const followers = this.#confirmations.byPurge();
    return this.#sql.list.all().map(row => recordOf(row, followers.get(row.id)));
  }
}

type PurgeRow = Omit<PurgeRecord, 'followers' | 'notReached'>;

function recordOf(row: PurgeRow, followers: PurgeRecord['followers'] = []): PurgeRecord {
  return { ...row, followers, notReached: [...OUTSIDE_COPIES] };
}

function prepare({ db }: Writer) {
  const last: Statement<[], number> = db.prepare<[], number>('SELECT max(seq) FROM removals').pluck();
  const imagesFrom: Statement<[], number | null> = db
    .prepare<[], number | null>(`SELECT value FROM meta WHERE key = 'imagesFrom'`)
    .pluck();
  return {
    last,
    imagesFrom,
    image: db.prepare<[number], unknown>('SELECT 1 FROM log_images WHERE revision <= ? LIMIT 1'),
    dropImages: db.prepare<[number, number]>(
      `DELETE FROM document_images WHERE seq IN (
         SELECT seq FROM document_images WHERE revision <= ? ORDER BY revision LIMIT ?)`,
    ),
    dropImageRows: db.prepare<[number, number]>(
      `DELETE FROM log_images WHERE revision IN (
         SELECT revision FROM log_images WHERE revision <= ? ORDER BY revision LIMIT ?)`,
    ),
    unswept: db.prepare<[number], unknown>(
      `SELECT 1 FROM removals
       WHERE seq > (SELECT value FROM meta WHERE key = 'swept') AND seq <= ? LIMIT 1`,
    ),
    // Below the mark no number is given again: an expiry has its own also when the latest was erased.
    erase: db.prepare<[number], LoggedDocument>(
      `DELETE FROM removals
       WHERE seq = ? AND seq <= (SELECT value FROM meta WHERE key = 'swept')
       RETURNING collection, id AS _id, revision`,
    ),
    log: db.prepare<[number, number], { revision: number; changes: string }>(
      'SELECT revision, changes FROM log WHERE revision > ? ORDER BY revision LIMIT ?',
    ),
    redact: db.prepare<[string, number]>('UPDATE log SET changes = ? WHERE revision = ?'),
    record: db.prepare<[number, string, number, number, string | null]>(
      'INSERT INTO purges (erased_at, by, documents, revision, collection) VALUES (?, ?, ?, ?, ?)',
    ),
    list: db.prepare<[], PurgeRow>(
      `SELECT id, collection, by, documents, erased_at AS erasedAt, purged_at AS purgedAt
       FROM purges ORDER BY id DESC`,
    ),
  };
}
