import type { RejectedDocument } from '../../../../shared/contract/jobs.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { JsonValue } from '../../../../shared/model/json/json.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import { idOfKey, LONGEST_KEY_BYTES } from '../../deadline-mirror/key-id.ts';
import type { DocumentImport, ImportedDocument, ImportOptions, ImportReport } from '../port/import.ts';
import type { WriteMode } from '../port/writes.ts';
import { importedValue } from './imported-value.ts';

/** A key to write. */
export interface ImportedKey {
  readonly line: number;
  readonly id: string;
  readonly key: Buffer;
  readonly type: string;
  readonly value: JsonValue;
  /** Epoch ms by the server's clock; null: it never expires. */
  readonly deadlineAt: number | null;
}

/** Outcome of one key: written, with the type and the deadline that it has on the server, or why not. */
export type KeyOutcome =
  | { readonly is: 'inserted' | 'updated'; readonly type: string; readonly deadlineAt: number | null }
  | { readonly is: 'rejected'; readonly code: string; readonly message: string };

export interface MirroredImportOptions {
  readonly mirror: Pick<DeadlineMirror, 'put' | 'hasCollection'>;
  /** Epoch ms by the server's clock. */
  readonly serverNow: () => number;
  /** Returns the key of an `_id` in a collection; null: no key of that collection can have it. */
  keyIn(collection: string, id: string): Buffer | null;
  /** Writes keys, and returns their outcomes in the same order. */
  writeKeys(keys: readonly ImportedKey[], mode: WriteMode): Promise<readonly KeyOutcome[]>;
  /** Throws READ_ONLY. */
  checkWritable(): void;
}

/** Keys between two calls of `isOver`. */
const CHUNK = 100;

/** Imports documents as keys. A key past its deadline is not written: the server would delete it at once. */
export class MirroredImport implements DocumentImport {
  readonly #options: MirroredImportOptions;

  constructor(options: MirroredImportOptions) {
    this.#options = options;
  }

  open(collection: string, { create }: { create: boolean }): void {
    const { mirror, checkWritable } = this.#options;
    checkWritable();
    if (create || mirror.hasCollection(collection)) return;
    throw new SandglassError('COLLECTION_NOT_FOUND', `There is no collection named ${collection}.`, {
      collection,
    });
  }

  async write(
    collection: string,
    documents: readonly ImportedDocument[],
    { mode, isOver }: ImportOptions,
  ): Promise<ImportReport> {
    const { serverNow, mirror, writeKeys } = this.#options;
    const report: ImportReport = { inserted: 0, updated: 0, expiredOnArrival: 0, rejected: [] };
    for (let from = 0; from < documents.length; from += CHUNK) {
      if (from > 0 && isOver?.() === true) return { ...report, left: documents.length - from };
      const now = serverNow();
      const keys: ImportedKey[] = [];
      for (const document of documents.slice(from, from + CHUNK)) {
        const read = this.#keyOf(collection, document);
        if ('code' in read) report.rejected.push(read);
        else if (read.deadlineAt !== null && read.deadlineAt <= now) report.expiredOnArrival++;
        else keys.push(read);
      }
      const outcomes = await writeKeys(keys, mode);
      const written = keys.flatMap((key, i) => {
        const outcome = outcomes[i];
        if (outcome === undefined) return [];
        if (outcome.is === 'rejected') {
          const { code, message } = outcome;
          report.rejected.push({ line: key.line, _id: key.id, code, message });
          return [];
        }
        report[outcome.is]++;
        const { type, deadlineAt } = outcome;
        return [{ id: key.id, collection, deadlineAt, type, bytes: null }];
      });
      mirror.put(written);
    }
    report.rejected.sort((a, b) => a.line - b.line);
    return report;
  }

  #keyOf(
    collection: string,
    { line, id, document, deadline }: ImportedDocument,
  ): ImportedKey | RejectedDocument {
    const refuse = (message: string): RejectedDocument => ({
      line,
      ...(id === null ? {} : { _id: id }),
      code: 'INVALID_DOCUMENT',
      message,
    });
    if (id === null || id === '') return refuse('The document has no _id, which is the name of its key.');
    const key = this.#options.keyIn(collection, id);
    if (key === null) return refuse(`No key of ${collection} can be named ${id}.`);
    if (key.length > LONGEST_KEY_BYTES)
      return refuse(`A key of more than ${LONGEST_KEY_BYTES} bytes cannot be written here.`);
    return {
      line,
      id: idOfKey(key),
      key,
      ...importedValue(document),
      deadlineAt: deadline === null || deadline === 'never' ? null : Math.round(deadline.at),
    };
  }
}

export function keyExists(id: string): KeyOutcome {
  return { is: 'rejected', code: 'DOCUMENT_EXISTS', message: `There is a key ${id} already.` };
}
