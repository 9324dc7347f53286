import { OUTSIDE_COPIES, type PurgeRecord } from '../../../../../shared/contract/expired.ts';
import type { PurgeMark } from '../../../../../shared/contract/replication.ts';
import type { Followers, LoggedDocument, PurgeStore } from '../../backend.ts';
import { vacuum } from '../file/file-work.ts';
import { redactChanges } from '../rows/packed-changes.ts';
import type { PurgeRow } from '../tables/purges.ts';
import type { RetainedCopies } from '../tables/retained-copies.ts';
import type { Writer } from '../write/writer.ts';
import type { PurgeConfirmations } from './purge-confirmations.ts';

const REVISIONS_AT_ONCE = 500;
/** Few, since each may have 16 MiB. */
const IMAGES_AT_ONCE = 16;

export interface PurgeOptions {
  writer: Writer;
  retained: RetainedCopies;
  followers: Pick<Followers, 'list'>;
  confirmations: PurgeConfirmations;
}

/**
 * Erases expired documents from copies, log and file [X4]. The file is rewritten (VACUUM): freed content stays in SQLite's
 * file until it is overwritten, and even `secure_delete` leaves remains of rows that were moved between pages.
 */
export class EmbeddedPurges implements PurgeStore {
  readonly #writer: Writer;
  readonly #retained: RetainedCopies;
  readonly #followers: Pick<Followers, 'list'>;
  readonly #confirmations: PurgeConfirmations;

  constructor({ writer, retained, followers, confirmations }: PurgeOptions) {
    this.#writer = writer;
    this.#retained = retained;
    this.#followers = followers;
    this.#confirmations = confirmations;
  }

  get lastId(): number {
    return this.#writer.tables.removals.lastSeq();
  }

  releaseCopies(ids: readonly string[]): void {
    this.#writer.maintain(() => {
      for (const id of ids) this.#retained.release(Number(id));
    });
  }

  isSwept(throughId: number): boolean {
    return !this.#writer.tables.removals.hasTombstonesThrough(throughId);
  }

  erase(ids: readonly string[]): LoggedDocument[] {
    const { removals } = this.#writer.tables;
    return this.#writer.maintain(() => ids.flatMap(id => removals.deleteSwept(Number(id))));
  }

  redact(isErased: (change: LoggedDocument) => boolean, afterRevision: number): number | null {
    const { collectionNames, log } = this.#writer.tables;
    const numberOf = collectionNames.reader();
    return this.#writer.maintain(() => {
      const rows = log.after(afterRevision, REVISIONS_AT_ONCE);
      for (const { revision, changes } of rows) {
        const redacted = redactChanges(changes, (name, _id) => {
          const collection = numberOf(name, revision);
          return collection !== null && isErased({ collection, _id, revision });
        });
        if (redacted !== null) log.setChanges(revision, redacted);
      }
      return rows.at(-1)?.revision ?? null;
    });
  }

  deleteImages(throughRevision: number): boolean {
    const { documentImages, logImages } = this.#writer.tables;
    if (!logImages.hasThrough(throughRevision)) return false;
    const from = this.#writer.meta.number('imagesFrom');
    if (from !== null && from <= throughRevision) {
      this.#writer.transactOnFullDisk(transaction => {
        transaction.isBeyondImages = true;
        transaction.changesCatalog = true;
      });
    }
    return this.#writer.maintain(() => {
      const images = documentImages.deleteSomeThrough(throughRevision, IMAGES_AT_ONCE);
      // Deleted last, since it marks unfinished work.
      if (images > 0) return true;
      return logImages.deleteSomeThrough(throughRevision, REVISIONS_AT_ONCE) > 0;
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
      const id = this.#writer.tables.purges.insert({ at, by, documents, revision, collection });
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
    return this.#writer.tables.purges.all().map(row => recordOf(row, followers.get(row.id)));
  }
}

function recordOf(row: PurgeRow, followers: PurgeRecord['followers'] = []): PurgeRecord {
  return { ...row, followers, notReached: [...OUTSIDE_COPIES] };
}
