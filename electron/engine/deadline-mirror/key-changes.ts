import { encodeReason } from '../deadline-index/index-entry.ts';
import type { MirroredCollections } from './collections-table.ts';
import type { DeadlineEntries } from './deadline-entries.ts';
import type { MirroredKeys, StoredKey } from './keys-table.ts';
import { type MirrorWriting, noteChange } from './mirror-writing.ts';
import type { MirroredKey } from './mirrored-key.ts';

/** Reference of a key that never expires. */
const NEVER = encodeReason('no TTL index');

/** Changes of single keys: in the table of keys, in the index table of their collection, and in its counts. */
export class KeyChanges {
  readonly #keys: MirroredKeys;
  readonly #entries: DeadlineEntries;
  readonly #collections: MirroredCollections;

  constructor(keys: MirroredKeys, entries: DeadlineEntries, collections: MirroredCollections) {
    this.#keys = keys;
    this.#entries = entries;
    this.#collections = collections;
  }

  /** Inserts or updates a key, which the scan of this number has found. */
  put(
    { id, collection: name, deadlineAt, type, bytes }: MirroredKey,
    scan: number,
    writing: MirrorWriting,
  ): void {
    const { now } = writing;
    const reference = deadlineAt === null ? NEVER : Math.max(0, deadlineAt);
    const before = this.#keys.byId(id);
    if (before === undefined) {
      const collection = this.#collections.addKey(name, bytes ?? 0, now);
      const key = { collection: collection.id, id, reference, type, bytes, updatedAt: now, scan };
      const row = this.#keys.insert(key);
      this.#entries.add(collection.id, { reference, row, bytes: bytes ?? 0 });
      noteChange(writing, { collection: name, kind: 'insert', id });
      return;
    }
    const size = bytes ?? before.bytes;
    const isMoved = this.#collections.byId(before.collection)?.name !== name;
    if (!isMoved && reference === before.reference && type === before.type && size === before.bytes) {
      if (before.scan !== scan) this.#keys.stamp(before.row, scan);
      return;
    }
    this.#forget(before, writing);
    const collection = this.#collections.addKey(name, size ?? 0, now);
    this.#entries.add(collection.id, { reference, row: before.row, bytes: size ?? 0 });
    this.#keys.update({
      ...before,
      collection: collection.id,
      reference,
      type,
      bytes: size,
      updatedAt: now,
      scan,
    });
    const isDeadlineOnly = !isMoved && type === before.type && size === before.bytes;
    noteChange(writing, { collection: name, kind: isDeadlineOnly ? 'expiration' : 'update', id });
  }

  /** Removes a key. Returns the name of its collection. */
  remove(key: StoredKey, writing: MirrorWriting): string {
    this.#keys.delete(key.row);
    return this.#forget(key, writing);
  }

  /** Removes a key from its index table and from the counts of its collection. Returns the collection's name. */
  #forget(key: StoredKey, writing: MirrorWriting): string {
    const { collection: number, reference, row } = key;
    const bytes = key.bytes ?? 0;
    this.#entries.remove(number, { reference, row, bytes });
    const collection = this.#collections.byId(number);
    if (collection === undefined) throw new Error(`Key ${row} is in a collection that does not exist.`);
    this.#collections.change(collection, -1, -bytes);
    writing.collections.add(collection.name);
    return collection.name;
  }
}
