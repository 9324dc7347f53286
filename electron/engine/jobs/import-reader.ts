import { EXPIRATION_MEMBER } from '../../../shared/contract/exports.ts';
import type { ImportFormat } from '../../../shared/contract/jobs.ts';
import { withKeyAsId } from '../../../shared/model/import/arango-json.ts';
import type { CsvDelimiter } from '../../../shared/model/import/csv-rows.ts';
import { plainJson } from '../../../shared/model/import/extended-json.ts';
import { csvSplitter } from './csv-document-splitter.ts';
import { type DocumentSplitter, jsonSplitter, ndjsonSplitter } from './document-splitter.ts';
import { detectingSplitter } from './text-splitter.ts';

/** Splits the text of a file into documents, each as plain JSON. */
export function importReader(format: ImportFormat, delimiter?: CsvDelimiter): DocumentSplitter {
  switch (format) {
    case 'ndjson':
      return ndjsonSplitter();
    case 'json':
      return jsonSplitter();
    case 'csv':
      return csvSplitter(delimiter, EXPIRATION_MEMBER);
    case 'mongoexport':
      return rewritten(detectingSplitter(), plainJson);
    case 'arangoexport':
      return rewritten(detectingSplitter(), withKeyAsId);
  }
}

function rewritten(splitter: DocumentSplitter, rewrite: (text: string) => string): DocumentSplitter {
  const each = (documents: ReturnType<DocumentSplitter['push']>) =>
    documents.map(found => ({ ...found, text: rewrite(found.text) }));
  return {
    push: piece => each(splitter.push(piece)),
    end: () => each(splitter.end()),
    get lines() {
      return splitter.lines;
    },
    get isByLine() {
      return splitter.isByLine;
    },
  };
}
