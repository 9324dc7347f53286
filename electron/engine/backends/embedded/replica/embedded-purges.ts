import { OUTSIDE_COPIES, type PurgeRecord } from '../../../../../shared/contract/expired.ts';
import type { PurgeMark } from '../../../../../shared/contract/replication.ts';
import type { Followers, LoggedDocument, PurgeStore } from '../../backend.ts';
import { vacuum } from '../file/file-work.ts';
import { redactChanges } from '../tables/change-log/packed-changes.ts';
import type { PurgeRow } from '../tables/purges.ts';
import type { RetainedCopies } from '../tables/removals/retained-copies.ts';
import type { Writer } from '../write/writer.ts';
import type { PurgeConfirmations } from './purge-confirmations.ts';

const REVISIONS_AT_ONCE = 500;
/** A small number, since each may have 16 MiB. */
const IMAGES_AT_ONCE = 16;

export interface PurgeOptions {
  writer: Writer;
  retained: RetainedCopies;
  followers: Pick<Followers, 'list'>;
  confirmations: PurgeConfirmations;
}

/**
 * Erases expired documents from copies, log and file [X4]. The file is rewritten (VACUUM): freed content stays in
 * SQLite's file until it is overwritten, and even `secure_delete` leaves remains of rows that were moved between pages.
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
    this.#writer.maintain(() => this.#retained.release(ids.map(Number)));
  }

  isSwept(throughId: number): boolean {
    return !this.#writer.tables.removals.hasTombstonesThrough(throughId);
  }

  begin({ by, collection }: Parameters<PurgeStore['begin']>[0]): PurgeMark {
    const { images, revision: present, tables } = this.#writer;
    const mark = this.#writer.transactOnFullDisk(transaction => {
      const { at, revision } = transaction;
      const id = tables.purges.insert({ by, revision, collection });
      const followers = this.#followers.list().map(({ name }) => name);
      this.#confirmations.expect(id, followers, at);
      transaction.isBeyondImages = images.from !== null && images.from <= present;
      transaction.changesCatalog = true;
      return { id, revision };
    });
    this.#confirmations.reload();
    return mark;
  }

  deleteImages(beforeRevision: number): boolean {
    const { documentImages, logImages } = this.#writer.tables;
    const throughRevision = beforeRevision - 1;
    if (!logImages.hasThrough(throughRevision)) return false;
    return this.#writer.maintain(() => {
      const images = documentImages.deleteSomeThrough(throughRevision, IMAGES_AT_ONCE);
      // Deleted last: while it exists, work is left.
      if (images > 0) return true;
      return logImages.deleteSomeThrough(throughRevision, REVISIONS_AT_ONCE) > 0;
    });
  }

  erasable(ids: readonly string[]): LoggedDocument[] {
    const { removals } = this.#writer.tables;
    return removals.swept(ids.map(Number));
  }

  erase(ids: readonly string[]): LoggedDocument[] {
    const { removals } = this.#writer.tables;
    const seqs = ids.map(Number);
    return this.#writer.maintain(() => {
      this.#retained.erase(seqs);
      return removals.deleteSwept(seqs);
    });
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

  rewriteFile(): void {
    const { db } = this.#writer;
    this.#writer.guard.attempt(() => vacuum(db.name));
  }

  emptyLog(): boolean {
    const { db } = this.#writer;
    const patience = db.pragma('busy_timeout', { simple: true });
    db.pragma('busy_timeout = 0');
    try {
      return this.#writer.guard.attempt(() => db.pragma('wal_checkpoint(TRUNCATE)', { simple: true })) === 0;
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

  complete(id: number, documents: number): PurgeRecord {
    const { clock, db, tables } = this.#writer;
    const at = clock.now();
    const complete = db.transaction(() => {
      tables.purges.complete(id, documents, at);
      tables.purges.settle(at);
    });
    this.#writer.guard.attempt(complete);
    const recorded = this.list().find(purge => purge.id === id);
    if (recorded === undefined) throw new RangeError(`there is no purge ${id}`);
    return recorded;
  }

  list(): PurgeRecord[] {
    const followers = this.#confirmations.byPurge();
    return this.#writer.tables.purges.all().map(row => recordOf(row, followers.get(row.id)));
  }
}

function recordOf(row: PurgeRow, followers: PurgeRecord['followers'] = []): PurgeRecord {
  return { ...row, followers, notReached: [...OUTSIDE_COPIES] };
}
