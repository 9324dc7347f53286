import type { OnUnprepared, ReapSource } from '../../../expiry/expiry-store.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Writer } from '../write/writer.ts';
import type { ReapTransactions } from './reap-transactions.ts';
import { resolveSource } from './resolve-source.ts';

/** So many index tables are prepared: what takes most of the time is compiled with the first. */
const MOST_PREPARED = 64;
/** So often the first removal is rehearsed, once in each step: V8 compiles what runs several times. */
const TIMES_FIRST = 20;
/** So many index tables are asked in one step whether they have enough documents: 0.3 ms, or 1.5 if statements are prepared. */
const MOST_ASKED = 32;

/** A source whose documents can expire at once. */
interface Candidate extends Pick<ReapSource, 'collection' | 'index'> {
  /** Number of its index table. */
  readonly table: number;
}

/**
 * Chooses the sources whose removal is rehearsed, the first one several times. Each is asked once, and again after a
 * commit that changed its collection if it had too few documents: the reaper looks for one at each idle moment, which
 * must cost nothing if there is none.
 */
export class Rehearsals {
  readonly #writer: Writer;
  readonly #batches: ReapTransactions;
  /** The catalog whose sources are in `#queue`. */
  #catalog: Catalog | null = null;
  #queue: Candidate[] = [];
  /** Sources that had too few documents, by collection: only an index alone on its collection is rehearsed. */
  readonly #waiting = new Map<string, Candidate>();
  /** Index tables whose removal was rehearsed. */
  readonly #prepared = new Set<number>();
  /** Rehearsals of the first source that are left. */
  #timesLeft = TIMES_FIRST;

  constructor(writer: Writer, batches: ReapTransactions) {
    this.#writer = writer;
    this.#batches = batches;
    writer.onCommit(({ collections }) => this.#committed(collections));
  }

  /** Lists the sources, or rehearses one. See `ExpiryStore.prepareNext`. */
  next(onFailure: OnUnprepared): boolean {
    if (this.#catalog !== this.#writer.catalog) {
      this.#listCandidates();
      return this.#queue.length > 0;
    }
    if (this.#prepared.size >= MOST_PREPARED) return false;
    for (let asked = 0; asked < MOST_ASKED; asked++) {
      const candidate = this.#queue.pop();
      if (candidate === undefined) return false;
      try {
        if (!this.#hasEnough(candidate)) {
          this.#waiting.set(candidate.collection, candidate);
          continue;
        }
        if (!this.#batches.rehearse(resolveSource(this.#writer, candidate))) {
          this.#queue.push(candidate);
          return false;
        }
        this.#timesLeft -= 1;
        if (this.#timesLeft > 0) {
          this.#queue.push(candidate);
          return true;
        }
      } catch (error) {
        onFailure(candidate, error);
      }
      // One that failed is not repeated: it would delay the expiries of all sources each time [R4].
      this.#prepared.add(candidate.table);
      return true;
    }
    return this.#queue.length > 0;
  }

  #hasEnough({ table }: Candidate): boolean {
    return this.#batches.isRehearsable(this.#writer.indexTables.of(table));
  }

  /** Lists the sources of a new catalog, without those that are prepared, or wait for documents; forgets others. */
  #listCandidates(): void {
    const { catalog } = this.#writer;
    this.#catalog = catalog;
    this.#queue = [];
    const waiting = new Map(this.#waiting);
    this.#waiting.clear();
    const prepared = new Set(this.#prepared);
    this.#prepared.clear();
    for (const { name: collection, indexes } of catalog.collections.values()) {
      const [index] = indexes;
      if (index === undefined || indexes.length > 1 || !index.isServing) continue;
      if (index.definition.onExpire.action !== 'delete') continue;
      if (prepared.has(index.table)) {
        this.#prepared.add(index.table);
        continue;
      }
      const candidate = { collection, index: index.name, table: index.table };
      if (waiting.get(collection)?.table === index.table) this.#waiting.set(collection, candidate);
      else this.#queue.push(candidate);
    }
  }

  #committed(collections: ReadonlySet<string>): void {
    if (this.#waiting.size === 0) return;
    for (const collection of collections) {
      const candidate = this.#waiting.get(collection);
      if (candidate === undefined) continue;
      this.#waiting.delete(collection);
      this.#queue.push(candidate);
    }
  }
}
