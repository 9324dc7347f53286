import { SandglassError } from '../../../../shared/model/errors.ts';
import { LAST_INSTANT } from '../../../../shared/model/reference-time.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import { deadlineOf, isDue, isHidden, NEVER } from '../../expiry/deadline.ts';
import type { ExpirationOnArrival, WriteMode } from '../backend.ts';
import { EXPLICIT_SOURCE } from './catalog.ts';
import { type CollectionWriter, expiringOf, type StoredRow } from './collection-writer.ts';
import { actionText, type ExplicitExpiration } from './explicit-expiration.ts';
import { noSuchDocument } from './missing.ts';
import type { RemovalLog } from './removal-log.ts';
import type { IncomingDocument } from './stored-document.ts';
import type { Transaction, Writer } from './writer.ts';

export interface Written {
  created: boolean;
  expiredOnArrival: boolean;
}

/** Writes of documents and of their explicit expiration, each inside a transaction the caller holds. */
export class DocumentWrites {
  readonly #writer: Writer;
  readonly #removals: RemovalLog;

  constructor(writer: Writer, removals: RemovalLog) {
    this.#writer = writer;
    this.#removals = removals;
  }

  /** Throws DOCUMENT_EXISTS when `mode` is insert and a reader would see one under that `_id`. */
  write(
    transaction: Transaction,
    name: string,
    document: IncomingDocument,
    mode: WriteMode,
    expiration?: ExpirationOnArrival,
  ): Written {
    const collection = this.#writer.collection(name);
    const holder = this.#live(collection, document.id);
    const isGone = holder !== null && this.#isHidden(collection, holder, transaction.at);
    // Whoever cannot be seen must not be in the way: its removal is completed first, in this transaction [C4].
    if (holder !== null && isGone) this.#complete(transaction, name, collection, holder);
    const created = holder === null || isGone;
    if (created) collection.insert(document, transaction.at);
    else if (mode === 'insert') {
      throw new SandglassError('DOCUMENT_EXISTS', `${name} has a document with _id ${document.id} already.`, {
        collection: name,
        _id: document.id,
      });
    } else collection.replace(holder, document, transaction.at);
    transaction.note({ collection: name, kind: created ? 'insert' : 'update', id: document.id });
    const kept = created ? { explicitAt: null, explicitAction: null } : holder;
    const given = expiration && this.#onArrival(collection, document, expiration, transaction.at);
    if (given !== undefined) this.setExplicit(transaction, name, document.id, given);
    const explicit = given === undefined ? kept : { explicitAt: given.at, explicitAction: given.action };
    return {
      created,
      expiredOnArrival: isDue(
        deadlineOf(expiringOf({ ...explicit, updatedAt: transaction.at }, document.value), collection.rules),
        transaction.at,
      ),
    };
  }

  /** Deletes by hand; a document that is due but not yet removed can be deleted too. Throws DOCUMENT_NOT_FOUND. */
  delete(transaction: Transaction, name: string, id: string): void {
    const collection = this.#writer.collection(name);
    const stored = this.#live(collection, id);
    if (stored === null) throw noSuchDocument(name, id);
    collection.delete(stored);
    transaction.note({ collection: name, kind: 'delete', id });
  }

  /**
   * Sets or clears (null) the explicit expiration; this reaches documents that are due and not yet removed, which
   * rescues them [E1]. Throws DOCUMENT_NOT_FOUND.
   */
  setExplicit(
    transaction: Transaction,
    name: string,
    id: string,
    { at, afterMs, action }: ExplicitExpiration,
  ): void {
    const collection = this.#writer.collection(name);
    const stored = this.#live(collection, id);
    if (stored === null) throw noSuchDocument(name, id);
    if (stored.explicitAt === at && stored.explicitAfter === afterMs && stored.explicitAction === action)
      return;
    collection.setExplicit(stored, at, afterMs, action);
    if (at === null && this.#isDue(collection, { ...stored, explicitAt: null }, transaction.at)) {
      this.#writer.noteDueSince(collection.catalog.id, stored.row, transaction.at);
    }
    transaction.note({ collection: name, kind: 'expiration', id });
  }

  /** What an import brings becomes an explicit expiration; undefined: it brings none for this collection. */
  #onArrival(
    { rules }: CollectionWriter,
    { value }: IncomingDocument,
    expiration: ExpirationOnArrival,
    now: number,
  ): ExplicitExpiration | undefined {
    if (expiration.kind === 'pin') return { at: NEVER, afterMs: null, action: null };
    const at = Math.min(Math.round(expiration.at), LAST_INSTANT);
    if (expiration.kind === 'at')
      return { at, afterMs: expiration.afterMs, action: actionText(expiration.onExpire) };
    const here = deadlineOf({ value, updatedAt: now, explicitAt: null, explicitHides: true }, rules);
    if (here.kind !== 'index' || here.rule.definition.source.kind === 'lastModified') return undefined;
    return { at, afterMs: null, action: actionText(here.rule.definition.onExpire) };
  }

  #live(collection: CollectionWriter, id: string): StoredRow | null {
    const row = collection.rowOf(id);
    if (row === null || this.#writer.dead.of(collection.catalog.id).has(row)) return null;
    return collection.read(row);
  }

  #isDue(collection: CollectionWriter, stored: StoredRow, now: number): boolean {
    return isDue(deadlineOf(expiringOf(stored, JSON.parse(stored.body)), collection.rules), now);
  }

  /** Nobody sees it any more, and its action is still to come [V1, C4]. */
  #isHidden(collection: CollectionWriter, stored: StoredRow, now: number): boolean {
    if (stored.explicitAt === null && collection.rules.length === 0) return false;
    if (stored.explicitAt !== null && now < stored.explicitAt) return false;
    return isHidden(deadlineOf(expiringOf(stored, JSON.parse(stored.body)), collection.rules), now);
  }

  #complete(transaction: Transaction, name: string, collection: CollectionWriter, stored: StoredRow): void {
    const deadline = deadlineOf(expiringOf(stored, JSON.parse(stored.body)), collection.rules);
    if (deadline.kind !== 'explicit' && deadline.kind !== 'index') return;
    collection.cut(stored);
    const source = deadline.kind === 'index' ? deadline.rule.id : EXPLICIT_SOURCE;
    this.#removals.append(transaction, collection.catalog, [
      { source, row: stored.row, id: stored.id, deadline: deadline.at, action: 'delete', gone: true },
    ]);
    transaction.note({
      collection: name,
      kind: 'expire',
      id: stored.id,
      index: deadline.kind === 'index' ? deadline.rule.name : EXPLICIT,
      deadlineAt: deadline.at,
    });
  }
}
