import { SandglassError } from '../../../shared/model/errors.ts';
import type {
  Awaitable,
  DocumentImport,
  EmbeddedBackend,
  ImportedDocument,
  ImportReport,
  WriteMode,
} from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import type { DocumentText } from './document-splitter.ts';
import { applyExportedExpiration, type ImportDeadlines, importedDocument } from './imported-expiration.ts';

export interface ImportBatchOptions {
  readonly mode: WriteMode;
  readonly deadlines: ImportDeadlines;
  readonly idField?: string | undefined;
  readonly by: string;
  readonly isOver: () => boolean;
}

/** The store into which an import writes. */
export interface ImportTarget {
  /** Throws COLLECTION_NOT_FOUND if the collection does not exist and is not created. */
  open(collection: string, options: { create: boolean }): Awaitable<void>;
  /** Writes documents until `isOver`, at least one. */
  write(
    collection: string,
    documents: readonly DocumentText[],
    options: ImportBatchOptions,
  ): Awaitable<ImportReport>;
}

export function embeddedImport(backend: EmbeddedBackend, clock: Pick<Clock, 'now'>): ImportTarget {
  return {
    open(collection, { create }) {
      if (create && !backend.hasCollection(collection)) backend.createCollection(collection);
      else backend.indexDefinitions(collection);
    },
    write: (collection, documents, { mode, deadlines, idField, by, isOver }) =>
      backend.write(
        collection,
        documents.map(one => applyExportedExpiration(one, deadlines, clock.now())),
        {
          mode,
          atomic: false,
          idField,
          isOver,
          ...(deadlines === 'absolute' ? { holdIfDue: { cause: 'import', by } } : {}),
        },
      ),
  };
}

export function remoteImport(documentImport: DocumentImport, clock: Pick<Clock, 'now'>): ImportTarget {
  return {
    open: (collection, options) => documentImport.open(collection, options),
    async write(collection, texts, options) {
      const documents: ImportedDocument[] = [];
      const unreadable: ImportReport['rejected'] = [];
      for (const text of texts) {
        try {
          documents.push(importedDocument(text, { idField: undefined, ...options }, clock.now()));
        } catch (error) {
          if (!(error instanceof SandglassError)) throw error;
          unreadable.push({ line: text.line, code: error.code, message: error.message });
        }
      }
      const report = await documentImport.write(collection, documents, options);
      const { left = 0 } = report;
      // Lines after the last document that was written are read again with the next batch.
      const next = documents[documents.length - left];
      if (next === undefined) return { ...report, rejected: [...report.rejected, ...unreadable] };
      const before = unreadable.filter(({ line }) => line < next.line);
      const skipped = texts.filter(({ line }) => line >= next.line).length;
      return { ...report, rejected: [...report.rejected, ...before], left: skipped };
    },
  };
}
