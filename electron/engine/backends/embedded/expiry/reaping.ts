import { EXPLICIT, noSuchIndex } from '../../../../../shared/model/ttl-index.ts';
import type {
  BatchLimits,
  BatchResult,
  Budget,
  ExpiryStore,
  PassRecord,
  ReapSettings,
  ReapSource,
} from '../../../expiry/expiry-store.ts';
import type { Tick } from '../../../expiry/schedule/ticks.ts';
import { type Catalog, deadlineSources, EXPLICIT_SOURCE } from '../catalog/catalog.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import type { EmbeddedHolds } from '../definitions/embedded-holds.ts';
import { IndexTableReader } from '../rows/index-table-reader.ts';
import type { Transaction } from '../rows/transaction.ts';
import type { IndexTable } from '../tables/index-table.ts';
import type { CollectionWriter } from '../write/collection-writer.ts';
import type { ExpirationActions, Expired } from '../write/expiration-actions.ts';
import type { RemovalLog } from '../write/removal-log.ts';
import type { Writer } from '../write/writer.ts';
import { DueEntries, type DueEntry } from './due-entries.ts';
import { listSources, type Source } from './reap-sources.ts';
import type { Sweep } from './sweep.ts';

/** A source with its tables. */
interface Resolved {
  readonly name: string;
  /** Null for explicit expirations. */
  readonly index: CatalogIndex | null;
  readonly collection: CollectionWriter;
  readonly table: IndexTable;
  readonly id: number;
  readonly addMs: number;
  readonly effectiveAt: number;
  /** True if the action reads the document. */
  readonly readsEach: boolean;
}

const ENTRIES_PER_READ = 64;
/** Batch size where bodies must be read, because a document is in several tables: small, since one may be 16 MiB. */
const DOCUMENTS_PER_READ = 8;
/** Weight of the latest commit, which syncs the disk, in the moving average that is subtracted from the budget. */
const COMMIT_WEIGHT = 0.2;

/**
 * ExpiryStore of the embedded store. Removal is logical: it changes index tables and log; the sweep frees rows and keys.
 */
export class EmbeddedExpiry implements ExpiryStore {
  readonly #writer: Writer;
  readonly #removals: RemovalLog;
  readonly #actions: ExpirationActions;
  readonly #sweep: Sweep;
  readonly #holds: EmbeddedHolds;
  readonly #due = new Map<number, DueEntries>();
  #usualCommitMs = 0;
  #sourcesOf: Catalog | null = null;
  #bulkChanges = 0;
  #sources: readonly Source[] = [];

  constructor(
    writer: Writer,
    removals: RemovalLog,
    expiration: ExpirationActions,
    sweep: Sweep,
    holds: EmbeddedHolds,
  ) {
    this.#writer = writer;
    this.#removals = removals;
    this.#actions = expiration;
    this.#sweep = sweep;
    this.#holds = holds;
  }

  sources(): readonly Source[] {
    const { catalog } = this.#writer;
    const { bulkChanges } = this.#holds;
    // Every change of a definition, a setting or a hold creates a new catalog.
    if (this.#sourcesOf !== catalog || this.#bulkChanges !== bulkChanges) {
      this.#sourcesOf = catalog;
      this.#bulkChanges = bulkChanges;
      this.#sources = listSources(
        catalog,
        name => this.#holds.isChanging(name),
        this.#writer.tables.scheduleTicks.all(),
      );
    }
    return this.#sources;
  }

  settings(): ReapSettings {
    return this.#writer.catalog.settings;
  }

  nextDeadline(source: ReapSource): number | null {
    const { table, addMs } = this.#resolve(source);
    const reference = table.first();
    return reference === null ? null : reference + addMs;
  }

  due(source: ReapSource, at: number): number {
    const catalog = this.#writer.catalog.collections.get(source.collection);
    const found = catalog && deadlineSources(catalog).find(({ name }) => name === source.index);
    if (found === undefined) return 0;
    return new IndexTableReader(this.#writer.db, found.table).before(at - found.addMs + 1).documents;
  }

  reap(source: ReapSource, limits: BatchLimits, pass: PassRecord): BatchResult {
    const { clock } = this.#writer;
    const startedAt = clock.elapsed();
    const resolved = this.#resolve(source);
    const { collection, addMs } = resolved;
    const readsBodies = resolved.readsEach || (!collection.entries.hasSingleIndex && resolved.index !== null);
    const counts = { removed: 0, changed: 0, quarantined: 0 };
    let stale = 0;
    const lagBases: number[] = [];
    const processed = () => counts.removed + counts.changed + counts.quarantined;
    let isDrained = false;
    let workedUntil = startedAt;
    const isOver = () => {
      workedUntil = clock.elapsed();
      return workedUntil - startedAt + this.#usualCommitMs >= limits.budgetMs();
    };
    const batch = (transaction: Transaction) => {
      do {
        const most = Math.min(
          readsBodies ? DOCUMENTS_PER_READ : ENTRIES_PER_READ,
          limits.maxDocuments - processed(),
        );
        const read = this.#dueEntries(resolved).upTo(limits.cutoff - addMs, most);
        const found = dropStaleEntries(transaction, resolved, read);
        stale += read.length - found.length;
        const isDeletion = !resolved.readsEach && found.every(entry => entry.isDeleted);
        const due = isDeletion ? found : found.slice(0, DOCUMENTS_PER_READ);
        isDrained = read.length < most && due.length === found.length;
        if (read.length === 0) break;
        let done = 0;
        if (isDeletion && due.length > 0) {
          done = this.#delete(transaction, resolved, due, pass.id, isOver);
          counts.removed += done;
          for (const entry of due.slice(0, done)) lagBases.push(this.#lagBase(resolved, entry));
        } else {
          const bounds = { cutoff: limits.cutoff, pass: pass.id };
          for (const entry of due) {
            const lagBase = this.#lagBase(resolved, entry);
            const expired = this.#expire(transaction, resolved, entry, bounds);
            counts[expired] += 1;
            // A quarantined document has no lag: nothing was done.
            if (expired !== 'quarantined') lagBases.push(lagBase);
            done += 1;
            // An action may take long for each document.
            if (isOver()) break;
          }
        }
        isDrained &&= done === due.length;
      } while (!isOver() && !isDrained && processed() < limits.maxDocuments);
      const grown = {
        cutoff: limits.cutoff,
        endedAt: transaction.at,
        removed: pass.removed + counts.removed,
        changed: pass.changed + counts.changed,
        quarantined: pass.quarantined + counts.quarantined,
        bySource: new Map(pass.bySource).set(
          source.index,
          (pass.bySource.get(source.index) ?? 0) + processed(),
        ),
        batches: pass.batches + 1,
        longestBatchMs: Math.max(pass.longestBatchMs, clock.elapsed() - startedAt),
        // `stopped` until drained, so that the row is right if the process dies here.
        ending: isDrained && limits.isLast ? ('drained' as const) : ('stopped' as const),
      };
      if (processed() > 0) this.#writer.tables.passes.write({ ...pass, ...grown }, collection.catalog.id);
      return grown;
    };
    // On a full disk the reserve is only for what frees space: a document that is patched or moved stays.
    const extended = resolved.readsEach
      ? this.#writer.transact(batch)
      : this.#writer.transactOnFullDisk(batch);
    Object.assign(pass, extended);
    const endedAt = clock.elapsed();
    if (processed() > 0) this.#usualCommitMs += COMMIT_WEIGHT * (endedAt - workedUntil - this.#usualCommitMs);
    const now = clock.now();
    const heldMs = endedAt - startedAt;
    pass.longestBatchMs = Math.max(pass.longestBatchMs, heldMs);
    return {
      ...counts,
      stale,
      lagsMs: lagBases.map(base => Math.max(0, now - base)),
      isDrained,
      heldMs,
    };
  }

  beforeCommit(listener: (collections: ReadonlySet<string>) => void): () => void {
    return this.#writer.beforeCommit(({ collections }) => listener(collections));
  }

  writeTick(source: ReapSource, look: Tick): void {
    const write = () => this.#writer.tables.scheduleTicks.write(this.#resolve(source).id, look);
    if (this.#writer.db.inTransaction) write();
    else this.#writer.maintain(write);
  }

  sweep(budget: Budget): boolean {
    return this.#sweep.step(budget);
  }

  unswept(): number {
    return this.#writer.dead.count;
  }

  mostUnswept(): number {
    return this.#sweep.mostUnswept();
  }

  nextPassId(): number {
    return this.#writer.tables.passes.nextId();
  }

  writePass(pass: PassRecord): void {
    const collection = this.#writer.catalog.collections.get(pass.collection);
    if (collection !== undefined)
      this.#writer.maintain(() => this.#writer.tables.passes.write(pass, collection.id));
  }

  #resolve(source: ReapSource): Resolved {
    const collection = this.#writer.collection(source.collection);
    const found = collection.entries.indexes.find(({ index }) => index.name === source.index);
    if (source.index === EXPLICIT)
      return {
        name: EXPLICIT,
        index: null,
        collection,
        table: collection.entries.explicit,
        id: EXPLICIT_SOURCE,
        addMs: 0,
        effectiveAt: collection.catalog.resumedAt,
        readsEach: false,
      };
    if (found === undefined) throw noSuchIndex(source.collection, source.index);
    const { index, table } = found;
    const { id, addMs, effectiveAt } = index;
    const readsEach = index.definition.onExpire.action !== 'delete';
    return { name: source.index, index, collection, table, id, addMs, effectiveAt, readsEach };
  }

  /** Returns the epoch ms from which the lag of the removal runs [M1]. */
  #lagBase({ collection, addMs, effectiveAt }: Resolved, { reference, updatedAt, row }: DueEntry): number {
    const dueSince = this.#writer.takeDueSince(collection.catalog.id, row);
    return Math.max(reference + addMs, updatedAt, effectiveAt, dueSince);
  }

  #dueEntries({ collection, table, index }: Resolved): DueEntries {
    let due = this.#due.get(table.number);
    if (due === undefined) {
      due = new DueEntries(this.#writer.db, {
        table: table.number,
        collection: collection.catalog.id,
        isExplicit: index === null,
      });
      this.#due.set(table.number, due);
    }
    return due;
  }

  /**
   * Deletes all entries at once without reading bodies if no other table holds the documents; else as many as time
   * allows, at least one. Returns how many.
   */
  #delete(
    transaction: Transaction,
    resolved: Resolved,
    found: readonly DueEntry[],
    pass: number,
    isOver: () => boolean,
  ): number {
    const { collection, table, id: source, addMs, name } = resolved;
    const isAlone = collection.entries.hasSingleIndex || resolved.index === null;
    const due = isAlone
      ? found
      : found.slice(0, this.#removeFromOtherTables(collection, table, found, isOver));
    const action = 'delete';
    this.#removals.appendDeletions(transaction, collection.catalog, { source, entries: due, addMs }, pass);
    if (isAlone)
      collection.countRemoved(
        due.length,
        due.reduce((sum, entry) => sum + entry.bytes, 0),
      );
    table.cut(due);
    for (const { id, reference } of due) {
      const deadlineAt = reference + addMs;
      const lagMs = Math.max(0, transaction.at - deadlineAt);
      const { name: from } = collection.catalog;
      transaction.note({
        collection: from,
        kind: 'expire',
        id,
        index: name,
        deadlineAt,
        action,
        lagMs,
        pass,
      });
    }
    return due.length;
  }

  #expire(
    transaction: Transaction,
    { collection, index, addMs }: Resolved,
    { row, reference }: DueEntry,
    bounds: { cutoff: number; pass: number },
  ): Expired {
    const stored = collection.read(row);
    if (stored === null)
      throw new Error(`${collection.catalog.name} has an entry of no document, row ${row}`);
    const acting = { index, reference, deadlineAt: reference + addMs };
    return this.#actions.expire(transaction, collection, stored, acting, bounds);
  }

  /**
   * Removes documents from their other tables, as many as time allows, since the expressions of other indexes may take
   * long. Returns how many.
   */
  #removeFromOtherTables(
    collection: CollectionWriter,
    acting: IndexTable,
    due: readonly { row: number }[],
    isOver: () => boolean,
  ): number {
    let left = 0;
    for (const { row } of due) {
      const stored = collection.read(row);
      if (stored !== null) collection.removeLogically(stored, acting);
      left += 1;
      if (isOver()) break;
    }
    return left;
  }
}

/**
 * Returns the entries of `read` that agree with their documents, and drops the others from the index table: such an
 * entry should not exist, and must not remove a document that is pinned or expires later [A6, E1].
 *
 * Costs one column of a row that is read anyway. The deadline is not computed from the body again: that would read and
 * parse every document, with the same answer by the rules that made the entry (other rules: index-renewal.ts).
 */
function dropStaleEntries(
  transaction: Transaction,
  { collection, table }: Resolved,
  read: readonly DueEntry[],
): readonly DueEntry[] {
  if (!read.some(entry => entry.isStale)) return read;
  for (const { isStale, reference, row, bytes } of read) {
    if (!isStale) continue;
    table.remove(reference, row, bytes);
    transaction.touch(collection.catalog.name, row);
  }
  return read.filter(entry => !entry.isStale);
}
