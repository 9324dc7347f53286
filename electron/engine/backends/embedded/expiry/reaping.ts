import { EXPLICIT, noSuchIndex } from '../../../../../shared/model/ttl-index.ts';
import type {
  BatchLimits,
  BatchResult,
  Budget,
  ExpiryStore,
  PassRecord,
  ReapSettings,
  ReapSource,
} from '../../../expiry/port.ts';
import type { Look } from '../../../expiry/schedule/ticks.ts';
import type { EmbeddedHolds } from '../definitions/holds.ts';
import { type Catalog, type CatalogIndex, EXPLICIT_SOURCE } from '../tables/catalog.ts';
import type { RemovalLog } from '../tables/removal-log.ts';
import type { SideTable } from '../tables/side-table.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { CollectionWriter } from '../write/collection-writer.ts';
import type { Expiration, Expired } from '../write/expiration-actions.ts';
import type { Writer } from '../write/writer.ts';
import { DueEntries, type DueEntry } from './due-entries.ts';
import { listSources, type Source } from './reap-sources.ts';
import type { Sweep } from './sweep.ts';

/** A source as the writer works on it. */
interface Resolved {
  readonly name: string;
  /** Null: explicit expirations. */
  readonly index: CatalogIndex | null;
  readonly collection: CollectionWriter;
  readonly table: SideTable;
  readonly id: number;
  readonly addMs: number;
  readonly effective: number;
  /** Its action needs the document. */
  readonly readsEach: boolean;
}

const ENTRIES_A_READ = 64;
/** Where bodies must be read, since a document is in several tables: few, for one may be 16 MiB. */
const DOCUMENTS_A_READ = 8;
/** A commit syncs the disk; its usual time is taken off the budget. */
const COMMIT_WEIGHT = 0.2;

/** The reaper's port on the embedded store. Removal is logical: side tables and log here, rows and keys by the sweep. */
export class EmbeddedExpiry implements ExpiryStore {
  readonly #writer: Writer;
  readonly #removals: RemovalLog;
  readonly #expiration: Expiration;
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
    expiration: Expiration,
    sweep: Sweep,
    holds: EmbeddedHolds,
  ) {
    this.#writer = writer;
    this.#removals = removals;
    this.#expiration = expiration;
    this.#sweep = sweep;
    this.#holds = holds;
  }

  sources(): readonly Source[] {
    const { catalog } = this.#writer;
    const { bulkChanges } = this.#holds;
    // The catalog is a new one after each change of a definition, a setting or a hold.
    if (this.#sourcesOf !== catalog || this.#bulkChanges !== bulkChanges) {
      this.#sourcesOf = catalog;
      this.#bulkChanges = bulkChanges;
      this.#sources = listSources(
        catalog,
        name => this.#holds.isChanging(name),
        this.#writer.tables.looks.all(),
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

  reap(source: ReapSource, limits: BatchLimits, pass: PassRecord): BatchResult {
    const { clock } = this.#writer;
    const startedAt = clock.elapsed();
    const resolved = this.#resolve(source);
    const { collection, addMs } = resolved;
    const readsBodies = resolved.readsEach || (!collection.hasSingleIndex && resolved.index !== null);
    const counts = { removed: 0, changed: 0, quarantined: 0 };
    let stale = 0;
    const lagBases: number[] = [];
    const taken = () => counts.removed + counts.changed + counts.quarantined;
    let isDrained = false;
    let workedUntil = startedAt;
    const isOver = () => {
      workedUntil = clock.elapsed();
      return workedUntil - startedAt + this.#usualCommitMs >= limits.budgetMs();
    };
    const batch = (transaction: Transaction) => {
      do {
        const most = Math.min(readsBodies ? DOCUMENTS_A_READ : ENTRIES_A_READ, limits.most - taken());
        const read = this.#dueEntries(resolved).upTo(limits.cutoff - addMs, most);
        const found = agreeing(transaction, resolved, read);
        stale += read.length - found.length;
        const isDeletion = !resolved.readsEach && found.every(entry => entry.isDeleted);
        const due = isDeletion ? found : found.slice(0, DOCUMENTS_A_READ);
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
            // What was left as it was is not late: nothing was done.
            if (expired !== 'quarantined') lagBases.push(lagBase);
            done += 1;
            // An action may take long for each.
            if (isOver()) break;
          }
        }
        isDrained &&= done === due.length;
      } while (!isOver() && !isDrained && taken() < limits.most);
      const grown = {
        cutoff: limits.cutoff,
        endedAt: transaction.at,
        removed: pass.removed + counts.removed,
        changed: pass.changed + counts.changed,
        quarantined: pass.quarantined + counts.quarantined,
        bySource: new Map(pass.bySource).set(source.index, (pass.bySource.get(source.index) ?? 0) + taken()),
        batches: pass.batches + 1,
        longestBatchMs: Math.max(pass.longestBatchMs, clock.elapsed() - startedAt),
        // Until it is drained, a process that dies here has told the truth.
        ending: isDrained && limits.isLast ? ('drained' as const) : ('stopped' as const),
      };
      if (taken() > 0) this.#writer.tables.passes.write({ ...pass, ...grown }, collection.catalog.id);
      return grown;
    };
    // On a full disk the reserve is for what frees space: a document that is patched or moved stays.
    const extended = resolved.readsEach
      ? this.#writer.transact(batch)
      : this.#writer.transactOnFullDisk(batch);
    Object.assign(pass, extended);
    const endedAt = clock.elapsed();
    if (taken() > 0) this.#usualCommitMs += COMMIT_WEIGHT * (endedAt - workedUntil - this.#usualCommitMs);
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

  writeLook(source: ReapSource, look: Look): void {
    const write = () => this.#writer.tables.looks.write(this.#resolve(source).id, look);
    if (this.#writer.db.inTransaction) write();
    else this.#writer.maintain(write);
  }

  sweep(budget: Budget): boolean {
    return this.#sweep.step(budget);
  }

  unswept(): number {
    return this.#writer.dead.count;
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
    const found = collection.indexes.find(({ index }) => index.name === source.index);
    if (source.index === EXPLICIT)
      return {
        name: EXPLICIT,
        index: null,
        collection,
        table: collection.explicit,
        id: EXPLICIT_SOURCE,
        addMs: 0,
        effective: collection.catalog.resumedAt,
        readsEach: false,
      };
    if (found === undefined) throw noSuchIndex(source.collection, source.index);
    const { index, side } = found;
    const { id, addMs, effective } = index;
    const readsEach = index.definition.onExpire.action !== 'delete';
    return { name: source.index, index, collection, table: side, id, addMs, effective, readsEach };
  }

  /** Epoch ms from which the lag of its removal runs [M1]. */
  #lagBase({ collection, addMs, effective }: Resolved, { reference, updatedAt, row }: DueEntry): number {
    const dueSince = this.#writer.takeDueSince(collection.catalog.id, row);
    return Math.max(reference + addMs, updatedAt, effective, dueSince);
  }

  #dueEntries({ collection, table, index }: Resolved): DueEntries {
    let due = this.#due.get(table.number);
    if (due === undefined) {
      due = new DueEntries(this.#writer.db, table.number, collection.catalog.id, index === null);
      this.#due.set(table.number, due);
    }
    return due;
  }

  /**
   * Cuts entries and writes them down, all at once: where nothing more is to be done, no body is read. Otherwise as many as
   * there is time for, at least one; answers how many.
   */
  #delete(
    transaction: Transaction,
    resolved: Resolved,
    found: readonly DueEntry[],
    pass: number,
    isOver: () => boolean,
  ): number {
    const { collection, table, id: source, addMs, name } = resolved;
    const isAlone = collection.hasSingleIndex || resolved.index === null;
    const due = isAlone ? found : found.slice(0, this.#leaveOtherTables(collection, table, found, isOver));
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
    return this.#expiration.expire(transaction, collection, stored, acting, bounds);
  }

  /** Of as many as there is time for, since the expressions of other indexes may take long; answers how many. */
  #leaveOtherTables(
    collection: CollectionWriter,
    acting: SideTable,
    due: readonly { row: number }[],
    isOver: () => boolean,
  ): number {
    let left = 0;
    for (const { row } of due) {
      const stored = collection.read(row);
      if (stored !== null) collection.cut(stored, acting);
      left += 1;
      if (isOver()) break;
    }
    return left;
  }
}

/**
 * Those of `read` that their documents agree with. The others are dropped from the side table: such an entry
 * should not exist, and whatever left it behind must not cost a document that is pinned or expires later [A6, E1].
 *
 * It costs a column of a row that is read anyway. The deadline is not computed from the body again: that reads and parses
 * every document, and by the rules that entered it the answer is the same (rules of another version: index-renewal.ts).
 */
function agreeing(
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
