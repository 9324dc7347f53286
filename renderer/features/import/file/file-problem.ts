import { t } from '@lingui/core/macro';
import type { JsonSyntaxError } from './json-syntax-error.ts';

/** Reason why a file cannot be imported: the problem, its place, and a remedy. */
export class FileProblem extends Error {
  readonly what: string;
  readonly line: number | null;
  readonly todo: string;

  constructor(what: string, line: number | null, todo: string) {
    super(line === null ? what : t`Line ${line}: ${what}`);
    this.name = 'FileProblem';
    this.what = what;
    this.line = line;
    this.todo = todo;
  }
}

const AS_NDJSON = t`Export it as NDJSON (one JSON object per line), as a JSON array of objects or as CSV, then drop it again.`;

export const problems = {
  empty: () => new FileProblem(t`The file is empty.`, null, t`Choose another file.`),
  compressed: (kind: string) =>
    new FileProblem(t`The file is compressed (${kind}).`, null, t`Unpack it, then drop the unpacked file.`),
  database: () =>
    new FileProblem(
      t`The file is a SQLite database or a Sandglass store.`,
      null,
      t`Only text can be imported. To open a store, start Sandglass with --store and its path.`,
    ),
  binary: (byte: number) =>
    new FileProblem(t`The file is not text: byte ${byte + 1} is not UTF-8.`, null, AS_NDJSON),
  otherEncoding: () =>
    new FileProblem(t`The file is UTF-16.`, null, t`Save it as UTF-8, then drop it again.`),
  notUtf8: (line: number) =>
    new FileProblem(
      t`The text is not UTF-8 from this line on.`,
      line,
      t`Save the file as UTF-8, then drop it again.`,
    ),
  onlyNames: () =>
    new FileProblem(t`The CSV file has no row after the field names.`, 1, t`Choose another file.`),
  oneObject: (line: number) =>
    new FileProblem(
      t`One JSON object spans several lines.`,
      line,
      t`Wrap it in an array ([ … ]), or write one document per line.`,
    ),
  notAnObject: (line: number, found: string) =>
    new FileProblem(t`A document must be a JSON object, found ${found}.`, line, AS_NDJSON),
  brokenArray: ({ line, column, expected, found, ended }: JsonSyntaxError) =>
    ended
      ? new FileProblem(
          t`The array is incomplete: expected ${expected}.`,
          line,
          t`The file may be truncated. Export it again, then drop it again.`,
        )
      : new FileProblem(
          t`Not JSON from column ${column} on: expected ${expected}, found “${found}”.`,
          line,
          t`Fix it there or export the file again, then drop it again.`,
        ),
  notJson: (line: number, found: string) => new FileProblem(t`Not JSON: ${found}`, line, AS_NDJSON),
} as const;
