import type { Catalog } from '../catalog/catalog.ts';
import { writeCatalog } from '../catalog/catalog-snapshot.ts';
import type { Database } from '../file/database.ts';
import { bodyText } from '../tables/documents/stored-json.ts';
import type { StoredRow } from '../tables/documents/stored-row.ts';
import { Meta } from '../tables/meta.ts';
import type { Change, Transaction } from '../tables/transaction.ts';
import type { CollectionWriter } from './collection-writer.ts';
import type { Tables } from './writer-tables.ts';

type Kind = Change['kind'];

/** Estimated bytes of an image besides its text. */
const IMAGE_BYTES = 100;
/**
 * Largest images of one revision, in bytes, since it is one message to a follower. Followers copy larger ones in a
 * snapshot.
 */
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

/** The writer, as the source of a transaction's images. */
export interface ImageSource {
  readonly catalog: Catalog;
  collection(name: string): CollectionWriter;
}

/**
 * Data that followers replay besides the change log's row of a revision: each changed document as it was afterwards,
 * and the catalog if a definition changed [V5]. Kept only while a follower is registered, in tables of its own, so that
 * the log stays small [V3]. From `imagesFrom` on, every revision has its images.
 */
export class FollowerImages {
  /** Null if no follower is registered. */
  #from: number | null;
  #endOffset: number;
  readonly #db: Database;
  readonly #meta: Meta;
  readonly #tables: Tables;

  constructor(db: Database, tables: Tables) {
    this.#db = db;
    this.#meta = new Meta(db);
    this.#tables = tables;
    this.#from = this.#meta.number('imagesFrom');
    this.#endOffset = tables.logImages.lastEndOffset();
  }

  /** First revision with images; null if none has any. */
  get from(): number | null {
    return this.#from;
  }

  /**
   * Sets the first revision with images inside a transaction; null to stop keeping them. Call `confirmFrom` after its
   * commit.
   */
  keepFrom(revision: number | null): void {
    this.#meta.set('imagesFrom', revision);
  }

  /** Appends the images of a transaction. Returns the function to call once it is durable. */
  append(transaction: Transaction, source: ImageSource): () => void {
    if (this.#from === null) return () => {};
    const { revision } = transaction;
    // Followers must start again: the images of a whole collection would block all other work.
    if (transaction.isBeyondImages) return this.#restartFrom(revision + 1);
    let bytes = IMAGE_BYTES;
    const removed: { collection: number; id: string }[] = [];
    const put = ({ catalog: { id: collection } }: CollectionWriter, stored: StoredRow) => {
      const quarantined = this.#tables.quarantine.of(collection, stored.row);
      this.#tables.documentImages.insert({
        ...stored,
        revision,
        collection,
        quarantined: quarantined.length === 0 ? null : JSON.stringify(quarantined),
      });
      bytes += IMAGE_BYTES + bodyText(stored.body).length;
    };
    for (const [name, changed] of this.#lastChanges(transaction)) {
      if (!source.catalog.collections.has(name)) continue;
      const collection = source.collection(name);
      for (const [id, kind] of changed) {
        if (bytes > MAX_IMAGE_BYTES) break;
        const row = kind === 'delete' ? null : collection.rowOf(id);
        const stored = row === null ? null : collection.read(row);
        if (stored === null) removed.push({ collection: collection.catalog.id, id });
        else put(collection, stored);
      }
    }
    for (const { collection: name, row } of transaction.touched) {
      if (bytes > MAX_IMAGE_BYTES) break;
      const collection = source.collection(name);
      const stored = collection.read(row);
      if (stored !== null) put(collection, stored);
    }
    if (bytes > MAX_IMAGE_BYTES) {
      this.#tables.documentImages.deleteOf(revision);
      return this.#restartFrom(revision + 1);
    }
    const catalog = transaction.changesCatalog ? writeCatalog(this.#db) : null;
    const removedText = JSON.stringify(removed);
    bytes += removedText.length + (catalog?.text.length ?? 0);
    const endOffset = this.#endOffset + bytes;
    this.#tables.logImages.insert({
      revision,
      removed: removedText,
      version: catalog?.version ?? null,
      text: catalog?.text ?? null,
      interval: transaction.interval === null ? null : JSON.stringify(transaction.interval),
      endOffset,
    });
    return () => {
      this.#endOffset = endOffset;
    };
  }

  #restartFrom(from: number): () => void {
    this.keepFrom(from);
    return () => {
      this.#from = from;
    };
  }

  /** Takes over what `keepFrom` stored, once it is durable. */
  confirmFrom(revision: number | null): void {
    this.#from = revision;
  }

  /** Returns the last change of each document, except those that expired: the log's own row records them. */
  #lastChanges({ changes, removals }: Transaction): Map<string, Map<string, Kind>> {
    const last = new Map<string, Map<string, Kind>>();
    let expiry = removals?.from ?? 0;
    for (const { collection, id, kind, action } of changes) {
      if (kind === 'definition') continue;
      const changed = last.get(collection) ?? new Map<string, Kind>();
      last.set(collection, changed);
      if (kind !== 'expire') {
        changed.set(id, kind);
        continue;
      }
      const stays = (action === 'patch' || action === 'replace') && !this.#tables.removals.isGone(expiry);
      expiry += 1;
      if (stays) changed.set(id, kind);
      else changed.delete(id);
    }
    return last;
  }
}
