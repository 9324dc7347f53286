import { t } from '@lingui/core/macro';
import { EXPIRATION_MEMBER } from '../../../../shared/contract/exports.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { csvColumns } from '../../../../shared/model/import/csv-documents.ts';
import { type CsvDelimiter, csvRows, guessDelimiter } from '../../../../shared/model/import/csv-rows.ts';
import { isJsonObject } from '../../../../shared/model/json/json.ts';
import { type Lines, parsed } from './bad-lines.ts';
import { FileProblem } from './file-problem.ts';

/** Beginning of a CSV file. */
export interface CsvBeginning {
  text: string;
  /** Whether the sample is the whole file. */
  whole: boolean;
  /** Separator, detected from the first row. */
  delimiter: CsvDelimiter;
}

export interface CsvSample extends Lines {
  columns: readonly string[];
}

const LONGEST = 1 << 20;

export function csvBeginning(text: string, whole: boolean): CsvBeginning {
  return { text, whole, delimiter: guessDelimiter(text, true) ?? ',' };
}

/** Reads the rows in the same way as the engine. Throws a FileProblem if the first row has no field names. */
export function csvSample({ text, whole }: CsvBeginning, delimiter: CsvDelimiter): CsvSample {
  const reader = csvRows(delimiter, LONGEST);
  const rows = reader.push(text);
  // The last row may be cut off by the end of the sample.
  if (whole) rows.push(...reader.end());
  const [header, ...others] = rows;
  if (header === undefined) return { columns: [], sample: [], bad: [] };
  const columns = namesOf(header.fields);
  const found: CsvSample = { columns: columns.names, sample: [], bad: [] };
  for (const { line, fields, problem } of others) {
    const read = problem === null ? columns.documentOf(fields) : { problem };
    const value = 'text' in read ? parsed(read.text) : undefined;
    if (isJsonObject(value)) found.sample.push(value);
    else found.bad.push({ line, what: t`not a valid row` });
  }
  return found;
}

function namesOf(header: Parameters<typeof csvColumns>[0]) {
  try {
    return csvColumns(header, EXPIRATION_MEMBER);
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    throw new FileProblem(error.message, 1, t`Fix the first row, then drop the file again.`);
  }
}
