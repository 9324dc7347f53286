import type { JsonBreak } from './json-break.ts';

/** Why a file cannot be imported: what is wrong, where, and what to do. */
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
  'Export it as NDJSON (one JSON object a line), as one JSON array of objects or as CSV, and drop it again.';

export const problems = {
  empty: () =>
    new FileProblem('The file is empty.', null, 'There is nothing to import. Choose another file.'),
  compressed: (kind: string) =>
    new FileProblem(`The file is compressed (${kind}).`, null, 'Unpack it first, then drop what was in it.'),
  database: () =>
    new FileProblem(
      'The file is a SQLite database, as a Sandglass store is.',
      null,
      'To open a store, start Sandglass with --store and its path. Only text is imported.',
    ),
  binary: (byte: number) =>
    new FileProblem(`The file is not text: byte ${byte + 1} is no UTF-8.`, null, AS_NDJSON),
  otherEncoding: () =>
    new FileProblem('The file is written in UTF-16.', null, 'Save it as UTF-8, and drop it again.'),
  notUtf8: (line: number) =>
    new FileProblem(
      'The text is not UTF-8 from here on.',
      line,
      'Save the file as UTF-8, and drop it again.',
    ),
  onlyNames: () =>
    new FileProblem(
      'The first row of CSV names the fields, and there is no other row.',
      1,
      'There is nothing to import. Choose another file.',
    ),
  oneObject: (line: number) =>
    new FileProblem(
      'One JSON object runs over many lines.',
      line,
      'Put it in an array ([ … ]), or write each document on one line.',
    ),
  notAnObject: (line: number, found: string) =>
    new FileProblem(`A document is a JSON object; here stands ${found}.`, line, AS_NDJSON),
  brokenArray: ({ line, column, expected, found, ended }: JsonBreak) =>
    ended
      ? new FileProblem(
          `The array breaks off at its end: expected ${expected}.`,
          line,
          'The file may have been cut short. Export it again, and drop it again.',
        )
      : new FileProblem(
          `Not JSON from column ${column} on: expected ${expected}, found “${found}”.`,
          line,
          'Mend it there, or export the file again, and drop it again.',
        ),
  notJson: (line: number, found: string) => new FileProblem(`This is not JSON: ${found}`, line, AS_NDJSON),
} as const;
