import { EXPIRATION_MEMBER } from '../../../shared/contract/exported-expiration.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { csvColumns } from '../../../shared/model/import/csv-documents.ts';
import { type CsvDelimiter, csvRows, guessDelimiter } from '../../../shared/model/import/csv-rows.ts';
import { isJsonObject } from '../../../shared/model/json/json.ts';
import { type Lines, parsed } from './bad-lines.ts';
import { FileProblem } from './file-problem.ts';

/** The beginning of a file of CSV. */
export interface CsvBeginning {
  text: string;
  /** It is all of the file. */
  whole: boolean;
  /** What stands between its fields, as its first row suggests. */
  delimiter: CsvDelimiter;
}

export interface CsvSample extends Lines {
  columns: readonly string[];
}

const LONGEST = 1 << 20;

export function csvBeginning(text: string, whole: boolean): CsvBeginning {
  return { text, whole, delimiter: guessDelimiter(text, true) ?? ',' };
}

/** The rows in sight as the engine will read them. Throws a FileProblem where the first names no fields. */
export function csvSample({ text, whole }: CsvBeginning, delimiter: CsvDelimiter): CsvSample {
  const reader = csvRows(delimiter, LONGEST);
  const rows = reader.push(text);
  // Cut by the end of the beginning, the last row says nothing.
  if (whole) rows.push(...reader.end());
  const [header, ...others] = rows;
  if (header === undefined) return { columns: [], sample: [], bad: [] };
  const columns = namesOf(header.fields);
  const found: CsvSample = { columns: columns.names, sample: [], bad: [] };
  for (const { line, fields, problem } of others) {
    const read = problem === null ? columns.documentOf(fields) : { problem };
    const value = 'text' in read ? parsed(read.text) : undefined;
    if (isJsonObject(value)) found.sample.push(value);
    else found.bad.push({ line, what: 'no row of the table' });
  }
  return found;
}

function namesOf(header: Parameters<typeof csvColumns>[0]) {
  try {
    return csvColumns(header, EXPIRATION_MEMBER);
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    throw new FileProblem(error.message, 1, 'Mend the first row, and drop the file again.');
  }
}
