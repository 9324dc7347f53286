import type { ExpirationSetting } from '../../../../../shared/contract/documents.ts';
import type { HoldRecord } from '../../../../../shared/contract/reaper.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { JsonObject } from '../../../../../shared/model/json/json.ts';
import { idProblem } from '../../../../../shared/model/names.ts';
import type { OnExpire } from '../../../../../shared/model/ttl-index.ts';
import { checkAction } from '../../../expiry/action-check.ts';
import type {
  BatchReport,
  BulkChange,
  Incoming,
  NewHold,
  PartOptions,
  PartResult,
  WriteOptions,
} from '../../backend.ts';
import type { CatalogCollection } from '../catalog/catalog.ts';
import { inTime } from '../catalog/expression-time-limit.ts';
import type { Transaction } from '../tables/transaction.ts';
import { writeBatch } from './batch-write.ts';
import type { DocumentWrites } from './document-writes.ts';
import { readExpiration } from './explicit-expiration.ts';
import { documentFromValue } from './incoming-document.ts';
import type { Writer } from './writer.ts';

/** Holds that writes of documents may cause, in their own transaction [R8, R9]. */
interface HoldsOfWrites {
  has(collection: string, cause: HoldRecord['cause']): boolean;
  placeIn(transaction: Transaction, hold: NewHold): void;
  countBulk(transaction: Transaction, collection: CatalogCollection, change: BulkChange): void;
}

/** Calls that write documents, delete them or set their expirations, each in one transaction. */
export class EmbeddedDocuments {
  readonly #writer: Writer;
  readonly #writes: DocumentWrites;
  readonly #holds: HoldsOfWrites;

  constructor(writer: Writer, writes: DocumentWrites, holds: HoldsOfWrites) {
    this.#writer = writer;
    this.#writes = writes;
    this.#holds = holds;
  }

  write(name: string, documents: readonly Incoming[], options: WriteOptions): BatchReport {
    const { holdIfDue } = options;
    this.#writer.collection(name);
    const report = this.#transact(transaction => {
      const written = writeBatch(this.#writes, transaction, name, documents, options);
      // If an earlier part placed a hold, its count is updated with the documents of this part.
      if (holdIfDue !== undefined && (written.expiredOnArrival > 0 || this.#holds.has(name, holdIfDue.cause)))
        this.#holds.placeIn(transaction, { collection: name, ...holdIfDue });
      return written;
    });
    return { ...report, revision: this.#writer.revision };
  }

  put(name: string, id: string, document: JsonObject): { created: boolean; expiredOnArrival: boolean } {
    const { _id: given } = document;
    if (given !== undefined && given !== id) {
      throw new SandglassError(
        'INVALID_DOCUMENT',
        idProblem(given) ?? `The document has _id ${given}, the address ${id}. They must be equal.`,
        { _id: id },
      );
    }
    return this.#transact(transaction =>
      this.#writes.write(
        transaction,
        name,
        documentFromValue({ _id: id, ...document }, { now: transaction.at }),
        'upsert',
      ),
    );
  }

  delete(name: string, ids: readonly string[], { isOver }: PartOptions = {}): PartResult {
    // On a full disk, a deletion frees space and a copy would take it [S1].
    const isKept = !this.#writer.guard.isDiskFull;
    return this.#each(name, ids, (transaction, id) => this.#writes.delete(transaction, name, id, isKept), {
      isOver,
      frees: true,
    });
  }

  setExpiration(
    name: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    { isOver, bulk, from }: PartOptions & { bulk?: BulkChange | undefined; from?: number } = {},
  ): PartResult {
    const expiration = readExpiration(setting, from ?? this.#writer.clock.now());
    const onExpire = setting !== null && 'onExpire' in setting ? setting.onExpire : undefined;
    if (onExpire !== undefined) this.#checkExplicitAction(onExpire, name);
    const { catalog } = this.#writer.collection(name);
    return this.#each(
      name,
      ids,
      (transaction, id) => this.#writes.setExplicit(transaction, name, id, expiration),
      {
        isOver,
        afterwards: transaction => {
          if (bulk !== undefined) this.#holds.countBulk(transaction, catalog, bulk);
        },
      },
    );
  }

  dueAfterSetting(
    name: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    { by, isOver }: { by: number; isOver: () => boolean },
  ): { due: number; done: number } {
    const expiration = readExpiration(setting, this.#writer.clock.now());
    let due = 0;
    let done = 0;
    inTime(this.#writer.clock, 'write', () => {
      for (const id of ids) {
        done += 1;
        if (this.#writes.becomesDue(name, id, expiration, by)) due += 1;
        if (isOver()) break;
      }
    });
    return { due, done };
  }

  keepAlive(name: string, id: string): void {
    this.#transact(transaction => this.#writes.keepAlive(transaction, name, id));
  }

  /** Throws INVALID_EXPIRATION with the problem that the action would have in an index. */
  #checkExplicitAction(onExpire: OnExpire, collection: string): void {
    try {
      checkAction(onExpire, collection, name => this.#writer.catalog.collections.has(name));
    } catch (error) {
      if (!(error instanceof SandglassError)) throw error;
      throw new SandglassError('INVALID_EXPIRATION', error.message, error.data);
    }
  }

  /** Runs one writing call. Throws EXPRESSION_TIMEOUT if its evaluations hold the writer too long [D8]. */
  #transact<Result>(work: (transaction: Transaction) => Result): Result {
    const { clock } = this.#writer;
    return this.#writer.transact(transaction => inTime(clock, 'write', () => work(transaction)));
  }

  /** Changes each document separately: failures are reported, the others succeed. */
  #each(
    name: string,
    ids: readonly string[],
    act: (transaction: Transaction, id: string) => void,
    {
      isOver,
      afterwards,
      frees = false,
    }: {
      isOver: (() => boolean) | undefined;
      afterwards?: (transaction: Transaction) => void;
      /** Allowed on a full disk. */
      frees?: boolean;
    },
  ): PartResult {
    this.#writer.collection(name);
    const { clock } = this.#writer;
    const failed: PartResult['failed'] = [];
    let done = 0;
    const change = (transaction: Transaction) => {
      for (const id of ids) {
        done += 1;
        try {
          act(transaction, id);
        } catch (error) {
          if (!(error instanceof SandglassError)) throw error;
          failed.push({ _id: id, code: error.code, message: error.message });
        }
        if (isOver?.() === true) break;
      }
      afterwards?.(transaction);
    };
    if (frees)
      this.#writer.transactOnFullDisk(transaction => inTime(clock, 'write', () => change(transaction)));
    else this.#transact(change);
    const left = ids.length - done;
    return {
      ...(left === 0 ? {} : { left }),
      succeeded: done - failed.length,
      failed,
      revision: this.#writer.revision,
    };
  }
}
