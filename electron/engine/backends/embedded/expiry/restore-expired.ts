import { v7 as uuidv7 } from 'uuid';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { isJsonObject } from '../../../../../shared/model/json/json.ts';
import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import type { ExpiredPage, ExpiredSpan, ExpiredStore, RestoreOptions, RestoreResult } from '../../backend.ts';
import { EXPLICIT_SOURCE } from '../catalog/catalog.ts';
import { inTime } from '../catalog/expression-time-limit.ts';
import type { Statement } from '../file/database.ts';
import { bodyText, readBody, type StoredBody } from '../tables/documents/stored-json.ts';
import { causeOf, type Removal } from '../tables/removals/removal.ts';
import { RemovalReader } from '../tables/removals/removal-reader.ts';
import { type RestorableRemoval, restorableFrom } from '../tables/removals/restorable-from.ts';
import type { RetainedCopies } from '../tables/removals/retained-copies.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { CollectionWriter } from '../write/collection-writer.ts';
import type { DocumentWrites } from '../write/document-writes.ts';
import type { ExpirationActions } from '../write/expiration-actions.ts';
import { type ExplicitExpiration, readExpiration } from '../write/explicit-expiration.ts';
import { documentFromText, documentFromValue, type IncomingDocument } from '../write/incoming-document.ts';
import type { Writer } from '../write/writer.ts';

/** Rows of the log that one search for expiries examines. */
const WINDOW = 2_000;

type Entry = Removal & RestorableRemoval;

/** Restores expired documents [X4]. */
export class EmbeddedExpired implements ExpiredStore {
  readonly #writer: Writer;
  readonly #actions: ExpirationActions;
  readonly #writes: DocumentWrites;
  readonly #retained: RetainedCopies;
  readonly #removals: RemovalReader;
  readonly #sources: Statement<[{ index: string; collection: number | null }], number>;

  constructor(
    writer: Writer,
    expiration: ExpirationActions,
    writes: DocumentWrites,
    retained: RetainedCopies,
  ) {
    this.#writer = writer;
    this.#actions = expiration;
    this.#writes = writes;
    this.#retained = retained;
    this.#removals = new RemovalReader(writer.db, writer.tombstones.intervals);
    this.#sources = writer.db
      .prepare<[{ index: string; collection: number | null }], number>(
        'SELECT id FROM ttl_indexes WHERE name = @index AND (@collection IS NULL OR collection = @collection)',
      )
      .pluck();
  }

  find(span: ExpiredSpan, { cursor, order }: { cursor: number | null; order: 'asc' | 'desc' }): ExpiredPage {
    const collection =
      typeof span.collection === 'string'
        ? this.#writer.collection(span.collection).catalog.id
        : span.collection;
    const sources = span.index === undefined ? null : new Set(this.#sourcesNamed(span.index, collection));
    const from = span.removedFrom ?? Number.NEGATIVE_INFINITY;
    const to = span.removedTo ?? Number.POSITIVE_INFINITY;
    const rows = this.#window(span, { cursor, order });
    const now = this.#writer.clock.now();
    const ids = rows
      .filter(row => collection === null || row.collection === collection)
      .filter(row => sources === null || sources.has(row.source))
      .filter(row => span.cause === undefined || span.cause === causeOf(row.source))
      .filter(({ removedAt }) => removedAt >= from && removedAt < to)
      .filter(row => span.restorable !== true || restorableFrom(row, this.#writer.tombstones, now) !== null)
      .map(({ seq }) => String(seq));
    // All rows are checked: they are in order of removal, but the clock can go back between two of them.
    return { ids, cursor: rows.at(-1)?.seq ?? null };
  }

  /** Returns the next removals in one order. */
  #window(
    { throughId = Number.MAX_SAFE_INTEGER }: ExpiredSpan,
    { cursor, order }: { cursor: number | null; order: 'asc' | 'desc' },
  ): Entry[] {
    return this.#withCopies(
      order === 'asc'
        ? this.#removals.between((cursor ?? 0) + 1, throughId + 1, WINDOW)
        : this.#removals.before(cursor ?? throughId + 1, WINDOW).removals,
    );
  }

  #entryOf(seq: number): Entry | undefined {
    if (!Number.isSafeInteger(seq)) return undefined;
    const removal = this.#removals.at(seq);
    return removal === null ? undefined : this.#withCopies([removal])[0];
  }

  /** Adds whether each has a copy. */
  #withCopies(removals: readonly Removal[]): Entry[] {
    const copies = this.#retained.bytesOf(removals.map(({ seq }) => seq));
    return removals.map(removal => ({ ...removal, isCopied: copies.has(removal.seq) }));
  }

  /** Throws EXPRESSION_TIMEOUT, and restores nothing, if the expressions of the indexes take too long [D8]. */
  restore(ids: readonly string[], options: RestoreOptions): RestoreResult {
    const expiration = readExpiration(options.expiration, this.#writer.clock.now());
    const failed: RestoreResult['failed'] = [];
    let left = ids.length;
    const restoreAll = (transaction: Transaction) => {
      const restored = new Set<number>();
      for (const id of ids) {
        const entry = this.#entryOf(Number(id));
        try {
          if (entry === undefined || restored.has(entry.seq)) throw noSuchExpiry(id);
          this.#restore(transaction, entry, options.choices[id] ?? options.onConflict, expiration);
          restored.add(entry.seq);
        } catch (error) {
          if (!(error instanceof SandglassError)) throw error;
          failed.push({ _id: entry?.id ?? id, code: error.code, message: error.message });
        }
        left -= 1;
        if (options.isOver?.() === true) break;
      }
      this.#retained.releaseRestored([...restored]);
    };
    const { clock } = this.#writer;
    this.#writer.transact(transaction => inTime(clock, 'write', () => restoreAll(transaction)));
    const succeeded = ids.length - left - failed.length;
    return { succeeded, failed, revision: this.#writer.revision, ...(left > 0 ? { left } : {}) };
  }

  #restore(
    transaction: Transaction,
    entry: Entry,
    onConflict: RestoreOptions['onConflict'],
    expiration: ExplicitExpiration,
  ): void {
    const collection = this.#writer.collectionWithId(entry.collection);
    const body = collection && this.#bodyOf(collection, entry, transaction.at);
    if (collection === null || body === null) throw noSuchExpiry(String(entry.seq));
    const { name } = collection.catalog;
    // The action of a hidden document is completed first [C4].
    const holder = this.#actions.visible(transaction, collection, entry.id);
    let document = documentFromText(bodyText(body), { now: transaction.at });
    // If the document was not changed after the action, restoring the previous version loses no data.
    let over = holder;
    if (holder !== null && !collection.isLeftBy(holder, entry.seq)) {
      if (onConflict === 'skip') throw idInUse(name, entry.id);
      if (onConflict === 'newId') {
        document = withNewId(document, transaction.at);
        over = null;
      }
    }
    if (over === null) collection.insert(document, transaction.at);
    else collection.replace(over, document, transaction.at);
    transaction.note({ collection: name, kind: over === null ? 'insert' : 'update', id: document.id });
    this.#writes.setExplicit(transaction, name, document.id, expiration);
    this.#removeFromArchive(transaction, entry);
  }

  /** Returns what expired, from its copy or, until it is swept, from its dead row; null if it is not kept. */
  #bodyOf(collection: CollectionWriter, entry: Entry, now: number): StoredBody | null {
    switch (restorableFrom(entry, this.#writer.tombstones, now)) {
      case 'copy':
        return this.#retained.body(entry.seq);
      case 'row':
        return collection.read(entry.row)?.body ?? null;
      case null:
        return null;
    }
  }

  /** Removes a moved document from its archive, unless it was written or given an expiration there since. */
  #removeFromArchive(transaction: Transaction, { seq, movedTo, id }: Entry): void {
    const archive = movedTo === null ? null : this.#writer.collectionWithId(movedTo);
    if (archive === null) return;
    const stored = this.#actions.live(archive, id);
    if (stored === null || !archive.isLeftBy(stored, seq)) return;
    archive.delete(stored);
    transaction.note({ collection: archive.catalog.name, kind: 'delete', id });
  }

  #sourcesNamed(index: string, collection: number | null): number[] {
    return index === EXPLICIT ? [EXPLICIT_SOURCE] : this.#sources.all({ index, collection });
  }
}

function withNewId(document: IncomingDocument, now: number): IncomingDocument {
  const value = readBody(document.body);
  return documentFromValue({ ...(isJsonObject(value) ? value : {}), _id: uuidv7({ msecs: now }) }, { now });
}

function noSuchExpiry(id: string): SandglassError {
  return new SandglassError(
    'EXPIRED_NOT_FOUND',
    'No copy is kept: it was restored or purged, its retention has ended, or it was evicted for its size.',
    { id },
  );
}

function idInUse(collection: string, id: string): SandglassError {
  return new SandglassError(
    'DOCUMENT_EXISTS',
    `${collection} has a document with _id ${id} that was written since. Overwrite it (replace), or restore under a new _id (newId).`,
    { collection, _id: id },
  );
}
