import type { JsonBreak } from './json-break.ts';

/** Why a file cannot be imported: the problem, its place, and what to do. */
export class FileProblem extends Error {
  readonly what: string;
  readonly line: number | null;
  readonly todo: string;

  constructor(what: string, line: number | null, todo: string) {
    super(line === null ? what : `Line ${line}: ${what}`);
    this.name = 'FileProblem';
    this.what = what;
    this.line = line;
    this.todo = todo;
  }
}

const AS_NDJSON =
  'Export it as NDJSON (one JSON object per line), as a JSON array of objects or as CSV, then drop it again.';

export const problems = {
  empty: () => new FileProblem('The file is empty.', null, 'Choose another file.'),
  compressed: (kind: string) =>
    new FileProblem(`The file is compressed (${kind}).`, null, 'Unpack it, then drop the unpacked file.'),
  database: () =>
    new FileProblem(
      'The file is a SQLite database or a Sandglass store.',
      null,
      'Only text can be imported. To open a store, start Sandglass with --store and its path.',
    ),
  binary: (byte: number) =>
    new FileProblem(`The file is not text: byte ${byte + 1} is not UTF-8.`, null, AS_NDJSON),
  otherEncoding: () => new FileProblem('The file is UTF-16.', null, 'Save it as UTF-8, then drop it again.'),
  notUtf8: (line: number) =>
    new FileProblem(
      'The text is not UTF-8 from this line on.',
      line,
      'Save the file as UTF-8, then drop it again.',
    ),
  onlyNames: () =>
    new FileProblem('The CSV file has no row after the field names.', 1, 'Choose another file.'),
  oneObject: (line: number) =>
    new FileProblem(
      'One JSON object spans several lines.',
      line,
      'Wrap it in an array ([ … ]), or write one document per line.',
    ),
  notAnObject: (line: number, found: string) =>
    new FileProblem(`A document must be a JSON object, found ${found}.`, line, AS_NDJSON),
  brokenArray: ({ line, column, expected, found, ended }: JsonBreak) =>
    ended
      ? new FileProblem(
          `The array is incomplete: expected ${expected}.`,
          line,
          'The file may be truncated. Export it again, then drop it again.',
        )
      : new FileProblem(
          `Not JSON from column ${column} on: expected ${expected}, found “${found}”.`,
          line,
          'Fix it there or export the file again, then drop it again.',
        ),
  notJson: (line: number, found: string) => new FileProblem(`Not JSON: ${found}`, line, AS_NDJSON),
} as const;
