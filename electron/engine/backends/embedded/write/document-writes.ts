import { SandglassError } from '../../../../../shared/model/errors.ts';
import { deadlineOf, isDue, NEVER } from '../../../expiry/deadline.ts';
import type { ExpirationOnArrival, WriteMode } from '../../backend.ts';
import { checkDuration } from '../../port/explicit-instant.ts';
import { noSuchDocument } from '../catalog/not-found.ts';
import { expiringOf } from '../catalog/stored-deadline.ts';
import { readBody, storedAction } from '../tables/documents/stored-json.ts';
import type { StoredRow } from '../tables/documents/stored-row.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { CollectionWriter } from './collection-writer.ts';
import type { ExpirationActions } from './expiration-actions.ts';
import type { ExplicitExpiration } from './explicit-expiration.ts';
import type { IncomingDocument } from './incoming-document.ts';
import type { RemovalLog } from './removal-log.ts';
import type { Writer } from './writer.ts';

export interface WriteResult {
  created: boolean;
  expiredOnArrival: boolean;
}

/** Writes documents and their explicit expirations, inside a transaction of the caller. */
export class DocumentWrites {
  readonly #writer: Writer;
  readonly #actions: ExpirationActions;
  readonly #removals: RemovalLog;

  constructor(writer: Writer, expiration: ExpirationActions, removals: RemovalLog) {
    this.#writer = writer;
    this.#actions = expiration;
    this.#removals = removals;
  }

  /** Returns whether a write to the collection evaluates expressions, which may take long for each document. */
  evaluates(name: string): boolean {
    const { catalog, entries } = this.#writer.collection(name);
    return (
      this.#writer.tombstones.intervals.evaluates(catalog.id) ||
      entries.rules.some(({ definition }) => definition.source.kind === 'expression')
    );
  }

  /** Throws DOCUMENT_EXISTS if `mode` is insert and a visible document has this `_id`. */
  write(
    transaction: Transaction,
    name: string,
    document: IncomingDocument,
    mode: WriteMode,
    expiration?: ExpirationOnArrival,
  ): WriteResult {
    const collection = this.#writer.collection(name);
    // The action of a hidden holder is completed first, in this transaction [C4].
    const holder = this.#actions.visible(transaction, collection, document.id);
    const created = holder === null;
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
    const expiring = expiringOf({ ...explicit, updatedAt: transaction.at }, document.value);
    return {
      created,
      expiredOnArrival: this.#isDueOnArrival(collection, expiring, transaction.at),
    };
  }

  #isDueOnArrival(
    { catalog, entries }: CollectionWriter,
    expiring: Parameters<typeof deadlineOf>[0],
    at: number,
  ): boolean {
    const deadline = deadlineOf(expiring, entries.rules);
    const isDueNow = isDue(deadline, at);
    if (isDueNow) this.#writer.dueOnArrival.add(catalog.id, expiring.explicitAt !== null, at);
    return isDueNow;
  }

  /**
   * Writes many documents. Returns the result or the error of each, in their order [C1]. Results and effects equal
   * those of single writes one after another.
   */
  writeAll(
    transaction: Transaction,
    name: string,
    incoming: readonly { document: IncomingDocument; expiration?: ExpirationOnArrival | undefined }[],
    mode: WriteMode,
  ): (WriteResult | SandglassError)[] {
    const collection = this.#writer.collection(name);
    const { at } = transaction;
    const arrivals = incoming.map(({ document, expiration }) => ({
      document,
      explicit: (expiration && this.#onArrival(collection, document, expiration, at)) ?? null,
    }));
    const isWritten = collection.insertNew(arrivals, at);
    return incoming.map(({ document, expiration }, i) => {
      const { id, value } = document;
      if (isWritten[i] !== true) {
        try {
          return this.write(transaction, name, document, mode, expiration);
        } catch (error) {
          if (error instanceof SandglassError) return error;
          throw error;
        }
      }
      const explicit = arrivals[i]?.explicit ?? null;
      transaction.note({ collection: name, kind: 'insert', id });
      if (explicit !== null) transaction.note({ collection: name, kind: 'expiration', id });
      const expiring =
        explicit === null
          ? { value, updatedAt: at, explicitAt: null, explicitHides: true }
          : expiringOf({ updatedAt: at, explicitAt: explicit.at, explicitAction: explicit.action }, value);
      return {
        created: true,
        expiredOnArrival: this.#isDueOnArrival(collection, expiring, at),
      };
    });
  }

  /**
   * Deletes a document, also one that is due and not removed yet, and keeps a copy if it `isKept`. Throws
   * DOCUMENT_NOT_FOUND.
   */
  delete(transaction: Transaction, name: string, id: string, isKept: boolean): void {
    const collection = this.#writer.collection(name);
    const stored = this.#actions.live(collection, id);
    if (stored === null) throw noSuchDocument(name, id);
    if (isKept) this.#removals.keepDeleted(transaction, collection.catalog, stored);
    collection.delete(stored);
    transaction.note({ collection: name, kind: 'delete', id });
  }

  /**
   * Sets or clears (null) the explicit expiration, also of documents that are due and not removed yet, which rescues
   * them [E1]. Throws DOCUMENT_NOT_FOUND.
   */
  setExplicit(transaction: Transaction, name: string, id: string, expiration: ExplicitExpiration): void {
    const { at, afterMs, action } = expiration;
    const collection = this.#writer.collection(name);
    const stored = this.#actions.live(collection, id);
    if (stored === null) throw noSuchDocument(name, id);
    if (stored.explicitAt === at && stored.explicitAfterMs === afterMs && stored.explicitAction === action)
      return;
    collection.setExplicit(stored, expiration);
    if (at === null) this.#noteDue(transaction, collection, stored);
    transaction.note({ collection: name, kind: 'expiration', id });
  }

  /** Notes that a document whose explicit expiration has been cleared is due now, if it is. */
  #noteDue(transaction: Transaction, { catalog, entries }: CollectionWriter, stored: StoredRow): void {
    const { at } = transaction;
    const deadline = entries.deadlineOf({ ...stored, explicitAt: null, explicitAction: null });
    if (deadline.kind !== 'index' || !isDue(deadline, at)) return;
    const record = { at, index: deadline.rule.id, deadlineAt: deadline.at };
    this.#writer.dueSince.set(catalog.id, stored.row, record);
    if (!isDue(entries.deadlineOf(stored), at)) transaction.madeDue += 1;
  }

  /** Returns whether `setExplicit` would make a document due by an instant, epoch ms, by which it is not due now. */
  becomesDue(name: string, id: string, { at, action }: ExplicitExpiration, by: number): boolean {
    const collection = this.#writer.collection(name);
    const stored = this.#actions.live(collection, id);
    if (stored === null) return false;
    const value = readBody(stored.body);
    const after = { ...stored, explicitAt: at, explicitAction: action };
    return (
      isDue(collection.entries.deadlineOf(after, value), by) &&
      !isDue(collection.entries.deadlineOf(stored, value), by)
    );
  }

  /**
   * Restarts the explicit duration from now [E2]. Throws NO_EXPIRATION if the document has none: no expiration, an
   * instant, or never.
   */
  keepAlive(transaction: Transaction, name: string, id: string): void {
    const stored = this.#actions.live(this.#writer.collection(name), id);
    if (stored === null) throw noSuchDocument(name, id);
    const { explicitAfterMs: afterMs, explicitAction: action } = stored;
    if (afterMs === null) {
      throw new SandglassError(
        'NO_EXPIRATION',
        `${id} has no explicit duration to restart. Set one first: {"after": seconds}.`,
        { collection: name, _id: id },
      );
    }
    // Stores of earlier releases may contain any number.
    checkDuration(afterMs);
    this.setExplicit(transaction, name, id, { at: transaction.at + afterMs, afterMs, action });
  }

  /** Returns the explicit expiration from an import; undefined if it has none for this collection. */
  #onArrival(
    { entries: { rules } }: CollectionWriter,
    { value }: IncomingDocument,
    expiration: ExpirationOnArrival,
    now: number,
  ): ExplicitExpiration | undefined {
    if (expiration.kind === 'pin') return { at: NEVER, afterMs: null, action: null };
    const at = Math.round(expiration.at);
    if (expiration.kind === 'at')
      return { at, afterMs: expiration.afterMs, action: storedAction(expiration.onExpire) };
    const here = deadlineOf({ value, updatedAt: now, explicitAt: null, explicitHides: true }, rules);
    if (here.kind !== 'index' || here.rule.definition.source.kind === 'lastModified') return undefined;
    return { at, afterMs: null, action: storedAction(here.rule.definition.onExpire) };
  }
}
