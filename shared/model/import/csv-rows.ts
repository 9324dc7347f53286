/** One field of a row, and whether it was in quotes, which makes it text. */
export interface CsvField {
  text: string;
  isQuoted: boolean;
}

export interface CsvRow {
  /** The line on which the row begins, from 1. */
  line: number;
  fields: readonly CsvField[];
  /** Problem with the row's quotes; null: none. */
  problem: string | null;
}

export const CSV_DELIMITERS = [',', ';', '\t', '|'] as const;
export type CsvDelimiter = (typeof CSV_DELIMITERS)[number];

/** Splits CSV text, received in pieces of any size, into rows. */
export interface CsvRows {
  push(piece: string): CsvRow[];
  /** Returns the last row if it did not end with a line break. */
  end(): CsvRow[];
  /** Number of complete lines so far. */
  readonly lines: number;
}

/** State of the parser: before a field, in an unquoted one, inside quotes, or after a quote that may close them. */
type At = 'start' | 'bare' | 'quoted' | 'quote';

const AFTER_QUOTE = 'There is text after the closing quote of a field.';

/**
 * Parses RFC 4180: fields between `delimiter`s; fields in quotes may contain line breaks and doubled quotes; a line
 * ends with LF, CRLF or CR. Empty lines are skipped. A row longer than `longest` characters is cut there, and reports
 * that.
 */
export function csvRows(delimiter: CsvDelimiter, longest: number): CsvRows {
  let at: At = 'start';
  let fields: CsvField[] = [];
  let text = '';
  let isQuoted = false;
  let problem: string | null = null;
  let size = 0;
  let line = 1;
  let rowLine = 1;
  let isAfterReturn = false;

  const take = (part: string) => {
    size += part.length;
    if (size <= longest) text += part;
    else problem ??= `It is longer than ${longest} characters, the most a document may have.`;
  };
  const endField = () => {
    fields.push({ text, isQuoted });
    text = '';
    isQuoted = false;
    at = 'start';
  };
  const endRow = (into: CsvRow[]) => {
    const isBlank = fields.length === 0 && text === '' && !isQuoted;
    endField();
    if (!isBlank) into.push({ line: rowLine, fields, problem });
    fields = [];
    problem = null;
    size = 0;
  };

  return {
    push(piece) {
      const rows: CsvRow[] = [];
      let from = 0;
      for (let i = 0; i < piece.length; i++) {
        const char = piece[i];
        const isSecondOfTwo = isAfterReturn && char === '\n';
        if (char === '\n' || char === '\r') line += isSecondOfTwo ? 0 : 1;
        isAfterReturn = char === '\r';
        if (at === 'quoted') {
          if (char !== '"') continue;
          take(piece.slice(from, i));
          at = 'quote';
          from = i + 1;
          continue;
        }
        if (at === 'quote' && char === '"') {
          at = 'quoted';
          // The second of two quotes is part of the text.
          from = i;
          continue;
        }
        if (char === delimiter || char === '\n' || char === '\r') {
          if (at === 'bare') take(piece.slice(from, i));
          from = i + 1;
          if (char === delimiter) endField();
          else {
            if (!isSecondOfTwo) endRow(rows);
            rowLine = line;
          }
          continue;
        }
        if (at === 'start' && char === '"') {
          at = 'quoted';
          isQuoted = true;
          from = i + 1;
        } else if (at === 'start') {
          at = 'bare';
          from = i;
        } else if (at === 'quote') {
          problem ??= AFTER_QUOTE;
          at = 'bare';
          from = i;
        }
      }
      if (at === 'bare' || at === 'quoted') take(piece.slice(from));
      return rows;
    },
    end() {
      const rows: CsvRow[] = [];
      if (at === 'quoted') problem = 'A field in quotes is never closed.';
      endRow(rows);
      at = 'start';
      return rows;
    },
    get lines() {
      return line - 1;
    },
  };
}

/**
 * Returns the most frequent delimiter of a first row, outside quotes; a comma if the row has none. Returns null while
 * the row is incomplete, unless `isAll`: there is no more text.
 */
export function guessDelimiter(beginning: string, isAll: boolean): CsvDelimiter | null {
  const counts = new Map<string, number>();
  let isInQuotes = false;
  let hasBegun = false;
  let hasEnded = isAll;
  for (const char of beginning) {
    const isBreak = char === '\n' || char === '\r';
    hasBegun ||= !isBreak;
    if (char === '"') isInQuotes = !isInQuotes;
    else if (isInQuotes) continue;
    else if (!isBreak) counts.set(char, (counts.get(char) ?? 0) + 1);
    else if (hasBegun) {
      hasEnded = true;
      break;
    }
  }
  if (!hasEnded) return null;
  let best: CsvDelimiter = ',';
  for (const delimiter of CSV_DELIMITERS)
    if ((counts.get(delimiter) ?? 0) > (counts.get(best) ?? 0)) best = delimiter;
  return best;
}
