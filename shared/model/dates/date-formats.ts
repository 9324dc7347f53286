import { isAllDigits, parsePattern } from './date-pattern.ts';
import { type DateReader, dateReader } from './date-reader.ts';
import { parseDateString } from './date-string.ts';
import { type DateFormats, ISO } from './format-list.ts';
import { type ToInstant, zoneOf } from './zone-offset.ts';

/** Formats, prepared for many values. */
export interface TextReader {
  /** Returns epoch ms by the first format that reads the text; null if none does. */
  read: DateReader;
  /** Whether a format has digits only: then numbers are read as their digits, not as Unix time. */
  readonly readsNumbers: boolean;
}

/** Reason why formats cannot be prepared, and the wrong format. */
export interface FormatProblem {
  problem: string;
  about: { format: string } | { zone: string };
}

/** Prepares formats. Returns the first problem of a format, or that of the zone. */
export function prepareFormats({ formats, zone = 'UTC' }: Readonly<DateFormats>): TextReader | FormatProblem {
  const toInstant = zoneOf(zone);
  if (toInstant === null) {
    const problem = `“${zone}” is not a time zone. Give an IANA name such as Europe/Berlin, UTC, or an offset such as +02:00.`;
    return { problem, about: { zone } };
  }
  const readers: TextReader[] = [];
  for (const format of formats) {
    const prepared = formatReader(format, toInstant);
    if ('problem' in prepared) return prepared;
    readers.push(prepared);
  }
  return {
    read: text => firstOf(readers, text),
    readsNumbers: readers.some(({ readsNumbers }) => readsNumbers),
  };
}

function formatReader(format: string, toInstant: ToInstant): TextReader | FormatProblem {
  if (format === ISO) return { read: isoReader(toInstant), readsNumbers: false };
  const parsed = parsePattern(format);
  if ('problem' in parsed) return { problem: parsed.problem, about: { format } };
  return { read: dateReader(parsed.parts, toInstant), readsNumbers: isAllDigits(parsed.parts) };
}

const OFFSET_AT_END = /(?:Z|[+-]\d\d:\d\d)$/;

function isoReader(toInstant: ToInstant): DateReader {
  return text => {
    const at = parseDateString(text);
    return at === null || OFFSET_AT_END.test(text) ? at : toInstant(at);
  };
}

function firstOf(readers: readonly TextReader[], text: string): number | null {
  for (const { read } of readers) {
    const at = read(text);
    if (at !== null) return at;
  }
  return null;
}
