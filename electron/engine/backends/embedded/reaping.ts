import { EXPLICIT, noSuchIndex } from '../../../../shared/model/ttl-index.ts';
import type { BatchLimits, BatchResult, ExpiryStore, PassRecord, ReapSource } from '../../expiry/port.ts';
import { type Catalog, EXPLICIT_SOURCE } from './catalog.ts';
import type { CollectionWriter } from './collection-writer.ts';
import { DueEntries } from './due-entries.ts';
import { PassLog } from './pass-log.ts';
import type { RemovalLog } from './removal-log.ts';
import type { SideTable } from './side-table.ts';
import type { Sweep } from './sweep.ts';
import type { Writer } from './writer.ts';

interface Source extends ReapSource {
  readonly id: number;
  readonly addMs: number;
  /** Since when its documents can be due: what lag is not counted before. */
  readonly effective: number;
}

const ENTRIES_A_READ = 128;
/** Where bodies must be read, since a document is in several tables: few, for one may be 16 MiB. */
const DOCUMENTS_A_READ = 8;
/** A commit syncs the disk; its usual time is taken off the budget. */
const COMMIT_WEIGHT = 0.2;

const UNLIMITED = { removalsPerSecond: 0, batchMs: 8, batchSize: 0 };

/** The reaper's port on the embedded store. Removal is logical: side tables and log here, rows and keys by the sweep. */
export class EmbeddedExpiry implements ExpiryStore {
  readonly #writer: Writer;
  readonly #removals: RemovalLog;
  readonly #sweep: Sweep;
  readonly #passes: PassLog;
  readonly #due = new Map<number, DueEntries>();
  #usualCommitMs = 0;
  #sourcesOf: Catalog | null = null;
  #sources: readonly Source[] = [];

  constructor(writer: Writer, removals: RemovalLog, sweep: Sweep) {
    this.#writer = writer;
    this.#removals = removals;
    this.#sweep = sweep;
    this.#passes = new PassLog(writer.db);
  }

  sources(): readonly Source[] {
    const { catalog } = this.#writer;
    // The catalog is a new one after each change of a definition.
    if (this.#sourcesOf !== catalog) {
      this.#sourcesOf = catalog;
      this.#sources = listSources(catalog);
    }
    return this.#sources;
  }

  nextDeadline(source: ReapSource): number | null {
    const { table, addMs } = this.#resolve(source);
    const reference = table.first();
    return reference === null ? null : reference + addMs;
  }

  reap(source: ReapSource, limits: BatchLimits, pass: PassRecord): BatchResult {
    const { clock } = this.#writer;
    const startedAt = clock.elapsed();
    const { collection, table, addMs, id, effective } = this.#resolve(source);
    const readsBodies = !collection.hasSingleIndex && source.index !== EXPLICIT;
    const lagBases: number[] = [];
    let isDrained = false;
    let workedUntil = startedAt;
    const extended = this.#writer.transact(transaction => {
      do {
        const most = Math.min(readsBodies ? DOCUMENTS_A_READ : ENTRIES_A_READ, limits.most - lagBases.length);
        const due = this.#dueEntries(collection, table).upTo(limits.cutoff - addMs, most);
        isDrained = due.length < most;
        if (due.length === 0) break;
        this.#removals.append(
          transaction,
          collection.catalog,
          due.map(entry => ({
            source: id,
            row: entry.row,
            id: entry.id,
            deadline: entry.reference + addMs,
            action: 'delete' as const,
            gone: true,
          })),
          pass.id,
        );
        if (readsBodies) this.#leaveOtherTables(collection, table, due);
        else
          collection.countRemoved(
            due.length,
            due.reduce((sum, entry) => sum + entry.bytes, 0),
          );
        table.cut(due);
        for (const entry of due) {
          const deadlineAt = entry.reference + addMs;
          lagBases.push(
            Math.max(
              deadlineAt,
              entry.updatedAt,
              effective,
              this.#writer.takeDueSince(collection.catalog.id, entry.row),
            ),
          );
          transaction.note({
            collection: source.collection,
            kind: 'expire',
            id: entry.id,
            index: source.index,
            deadlineAt,
          });
        }
        workedUntil = clock.elapsed();
      } while (
        !isDrained &&
        lagBases.length < limits.most &&
        workedUntil - startedAt + this.#usualCommitMs < limits.budgetMs()
      );
      const removed = lagBases.length;
      const grown = {
        cutoff: limits.cutoff,
        endedAt: transaction.at,
        removed: pass.removed + removed,
        bySource: new Map(pass.bySource).set(source.index, (pass.bySource.get(source.index) ?? 0) + removed),
        batches: pass.batches + 1,
        longestBatchMs: Math.max(pass.longestBatchMs, clock.elapsed() - startedAt),
        // Until it is drained, a process that dies here has told the truth.
        ending: isDrained && limits.isLast ? ('drained' as const) : ('stopped' as const),
      };
      if (removed > 0) this.#passes.write({ ...pass, ...grown }, collection.catalog.id);
      return grown;
    });
    Object.assign(pass, extended);
    const endedAt = clock.elapsed();
    if (lagBases.length > 0)
      this.#usualCommitMs += COMMIT_WEIGHT * (endedAt - workedUntil - this.#usualCommitMs);
    const now = clock.now();
    const heldMs = endedAt - startedAt;
    pass.longestBatchMs = Math.max(pass.longestBatchMs, heldMs);
    return {
      removed: lagBases.length,
      changed: 0,
      quarantined: 0,
      lagsMs: lagBases.map(base => Math.max(0, now - base)),
      isDrained,
      heldMs,
    };
  }

  sweep(budgetMs: number): boolean {
    return this.#sweep.step(budgetMs);
  }

  nextPassId(): number {
    return this.#passes.nextId();
  }

  writePass(pass: PassRecord): void {
    const collection = this.#writer.catalog.collections.get(pass.collection);
    if (collection !== undefined) this.#writer.maintain(() => this.#passes.write(pass, collection.id));
  }

  #resolve(
    source: ReapSource,
  ): { collection: CollectionWriter; table: SideTable } & Pick<Source, 'id' | 'addMs' | 'effective'> {
    const collection = this.#writer.collection(source.collection);
    const found = collection.indexes.find(({ index }) => index.name === source.index);
    if (source.index === EXPLICIT)
      return {
        collection,
        table: collection.explicit,
        id: EXPLICIT_SOURCE,
        addMs: 0,
        effective: collection.catalog.resumedAt,
      };
    if (found === undefined) throw noSuchIndex(source.collection, source.index);
    const { index, side } = found;
    return { collection, table: side, id: index.id, addMs: index.addMs, effective: index.effective };
  }

  #dueEntries(collection: CollectionWriter, table: SideTable): DueEntries {
    let due = this.#due.get(table.number);
    if (due === undefined) {
      due = new DueEntries(this.#writer.db, table.number, collection.catalog.id);
      this.#due.set(table.number, due);
    }
    return due;
  }

  #leaveOtherTables(collection: CollectionWriter, acting: SideTable, due: readonly { row: number }[]): void {
    for (const { row } of due) {
      const stored = collection.read(row);
      if (stored !== null) collection.cut(stored, acting);
    }
  }
}

function listSources({ paused, collections }: Catalog): Source[] {
  return [...collections.values()].flatMap(collection => {
    const stopped = paused !== null || collection.paused !== null;
    const explicit: Source = {
      key: `${collection.id}:${EXPLICIT_SOURCE}`,
      id: EXPLICIT_SOURCE,
      collection: collection.name,
      collectionId: collection.id,
      index: EXPLICIT,
      schedule: { mode: 'exact' },
      limits: UNLIMITED,
      isPaused: stopped,
      isHeld: false,
      addMs: 0,
      effective: collection.resumedAt,
    };
    const indexes = collection.indexes
      .filter(index => index.isActing)
      .map(index => ({
        key: `${collection.id}:${index.id}`,
        id: index.id,
        collection: collection.name,
        collectionId: collection.id,
        index: index.name,
        schedule: index.definition.schedule,
        limits: UNLIMITED,
        isPaused: stopped || index.isPaused,
        isHeld: false,
        addMs: index.addMs,
        effective: index.effective,
      }));
    return [explicit, ...indexes];
  });
}
