import type {
  BatchLimits,
  BatchResult,
  BeforeCommit,
  Budget,
  ExpiryStore,
  OnUnprepared,
  PassRecord,
  ReapSettings,
  ReapSource,
} from '../../../expiry/expiry-store.ts';
import type { Tick } from '../../../expiry/schedule/ticks.ts';
import { type Catalog, deadlineSources } from '../catalog/catalog.ts';
import type { EmbeddedHolds } from '../definitions/embedded-holds.ts';
import type { Writer } from '../write/writer.ts';
import { listSources, type Source } from './reap-sources.ts';
import type { ReapTransactions } from './reap-transactions.ts';
import { Rehearsals } from './rehearsals.ts';
import { resolveSource } from './resolve-source.ts';
import type { Sweep } from './sweep.ts';

/**
 * ExpiryStore of the embedded store. Removal is logical: it changes index tables and log; the sweep frees rows and
 * keys.
 */
export class EmbeddedExpiry implements ExpiryStore {
  readonly #writer: Writer;
  readonly #batches: ReapTransactions;
  readonly #sweep: Sweep;
  readonly #holds: EmbeddedHolds;
  #sourcesOf: Catalog | null = null;
  #bulkChanges = 0;
  #sources: readonly Source[] = [];
  readonly #rehearsals: Rehearsals;

  constructor(writer: Writer, batches: ReapTransactions, sweep: Sweep, holds: EmbeddedHolds) {
    this.#writer = writer;
    this.#batches = batches;
    this.#sweep = sweep;
    this.#holds = holds;
    this.#rehearsals = new Rehearsals(writer, batches);
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
    const { table, addMs } = resolveSource(this.#writer, source);
    const reference = table.first();
    return reference === null ? null : reference + addMs;
  }

  due(source: ReapSource, at: number): number {
    const catalog = this.#writer.catalog.collections.get(source.collection);
    const found = catalog && deadlineSources(catalog).find(({ name }) => name === source.index);
    if (found === undefined) return 0;
    return this.#writer.indexTable(found.table).before(at - found.addMs + 1).documents;
  }

  reap(source: ReapSource, limits: BatchLimits, pass: PassRecord): BatchResult {
    return this.#batches.run(resolveSource(this.#writer, source), limits, pass);
  }

  beforeCommit(listener: BeforeCommit): () => void {
    return this.#writer.beforeCommit(({ collections, afterCommit, changesCatalog }) =>
      listener(collections, {
        afterCommit: work => afterCommit.push(work),
        isReplaced: source => changesCatalog && !this.#isStored(source),
      }),
    );
  }

  /** Whether an index is stored with the index table that the writer knows. */
  #isStored(source: ReapSource): boolean {
    const { id, table } = resolveSource(this.#writer, source);
    return this.#writer.tables.ttlIndexes.has(id, table.number);
  }

  writeTick(source: ReapSource, tick: Tick): void {
    const write = () => this.#writer.tables.scheduleTicks.write(resolveSource(this.#writer, source).id, tick);
    if (this.#writer.db.inTransaction) write();
    else this.#writer.maintain(write);
  }

  prepareNext(onFailure: OnUnprepared): boolean {
    return this.#rehearsals.next(onFailure);
  }

  sweep(budget: Budget): boolean {
    return this.#sweep.step(budget);
  }

  unswept(): number {
    return this.#writer.tombstones.count;
  }

  unsweptInMemory(): number {
    return this.#writer.tombstones.inMemory;
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
}
