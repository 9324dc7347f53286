import { type CsvColumns, csvColumns } from '../../../shared/model/import/csv-documents.ts';
import {
  type CsvDelimiter,
  type CsvRow,
  type CsvRows,
  csvRows,
  guessDelimiter,
} from '../../../shared/model/import/csv-rows.ts';
import { LARGEST_DOCUMENT_BYTES } from '../../../shared/model/names.ts';
import type { DocumentSplitter, DocumentText } from './document-splitter.ts';

/** Longest part of a first line that is searched for its delimiter, characters. */
const LONGEST_BEGINNING = 1 << 20;

/**
 * Splits CSV into documents; the first row names the columns. Without `delimiter` it is the most frequent one of that
 * row. Throws INVALID_FILE for invalid names.
 */
export function csvSplitter(delimiter: CsvDelimiter | undefined, jsonColumn: string): DocumentSplitter {
  let beginning = '';
  let rows: CsvRows | null = delimiter === undefined ? null : csvRows(delimiter, LARGEST_DOCUMENT_BYTES);
  let columns: CsvColumns | null = null;
  let isFirst = true;

  const documentOf = (row: CsvRow): DocumentText[] => {
    if (columns === null) {
      columns = csvColumns(row.fields, jsonColumn);
      return [];
    }
    const read = row.problem === null ? columns.documentOf(row.fields) : { problem: row.problem };
    return [{ line: row.line, ...('text' in read ? read : { text: '', problem: read.problem }) }];
  };
  const cut = (text: string, isAll: boolean): DocumentText[] => {
    beginning += text;
    if (rows === null) {
      const guessed = guessDelimiter(beginning, isAll || beginning.length > LONGEST_BEGINNING);
      if (guessed === null) return [];
      rows = csvRows(guessed, LARGEST_DOCUMENT_BYTES);
    }
    const all = beginning;
    beginning = '';
    return rows.push(all).flatMap(documentOf);
  };

  return {
    push(piece) {
      const text = isFirst ? piece.replace(/^\uFEFF/, '') : piece;
      isFirst &&= piece === '';
      return cut(text, false);
    },
    end: () => [...cut('', true), ...(rows?.end() ?? []).flatMap(documentOf)],
    get lines() {
      return rows?.lines ?? 0;
    },
    isByLine: false,
  };
}
