import { t } from '@lingui/core/macro';
import { isJsonObject, type JsonObject } from '../../../../shared/model/json/json.ts';
import { type BadLine, parsed, readLines } from './bad-lines.ts';
import { type CsvBeginning, csvBeginning, csvSample } from './csv-sample.ts';
import { problems } from './file-problem.ts';
import { jsonSyntaxError } from './json-syntax-error.ts';

/** Format and first documents of a file, detected from its beginning. */
export interface Sniffed {
  format: 'ndjson' | 'json' | 'csv';
  /** Documents of the sample; none if the first one is longer than the sample. */
  sample: readonly JsonObject[];
  /** Lines of the sample that will be rejected. */
  bad: readonly BadLine[];
  /** For CSV only: reads the file again with another separator. */
  csv?: CsvBeginning;
}

export const SNIFF_BYTES = 64 * 1024;

const MAGIC: readonly (readonly [bytes: readonly number[], kind: string])[] = [
  [[0x1f, 0x8b], 'gzip'],
  [[0x50, 0x4b, 0x03, 0x04], 'zip'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd'],
  [[0x42, 0x5a, 0x68], 'bzip2'],
];
const SQLITE = 'SQLite format 3';

/** Returns the sample as text without a byte order mark. Throws a FileProblem for binary data. */
function textOf(bytes: Uint8Array): string {
  for (const [magic, kind] of MAGIC) {
    if (magic.every((byte, index) => bytes[index] === byte)) throw problems.compressed(kind);
  }
  if (String.fromCharCode(...bytes.slice(0, SQLITE.length)) === SQLITE) throw problems.database();
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw problems.otherEncoding();
  }
  const zero = bytes.indexOf(0);
  if (zero >= 0) throw problems.binary(zero);
  try {
    // Streaming, because the sample may end inside a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    throw problems.binary(firstBadByte(bytes));
  }
}

function firstBadByte(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let index = 0;
  try {
    for (; index < bytes.length; index++) decoder.decode(bytes.subarray(index, index + 1), { stream: true });
  } catch {
    // Finds the first invalid byte.
  }
  return index;
}

const shortened = (line: string) => (line.length > 60 ? `${line.slice(0, 60)}…` : line);
const separators = (line: string, separator: string) => line.split(separator).length - 1;

/** CSV: comma, semicolon or tab occurs equally often in the first two lines, with no brace before it. */
function isCsv(first: string, second: string | undefined): boolean {
  return [',', ';', '\t'].some(separator => {
    const columns = separators(first, separator);
    return columns > 0 && second !== undefined && separators(second, separator) >= columns;
  });
}

/** Detects the format of a file. `whole`: the sample is the whole file. Throws a FileProblem. */
export function sniff(bytes: Uint8Array, whole: boolean, name = ''): Sniffed {
  if (bytes.length === 0) throw problems.empty();
  const text = textOf(bytes).replace(/^\uFEFF/, '');
  const trimmed = text.trimStart();
  if (trimmed === '') throw problems.empty();
  if (/\.(csv|tsv)$/i.test(name)) return asCsv(text, whole);
  if (trimmed.startsWith('[')) return { format: 'json', sample: arraySample(text, whole), bad: [] };

  const lines = text.split(/\r?\n/);
  // The last line may be cut off by the end of the sample.
  const complete = whole ? lines : lines.slice(0, -1);
  const at = complete.findIndex(line => line.trim() !== '');
  const first = complete[at];
  // The first document is longer than the sample: the engine reports its errors with their line.
  if (first === undefined) {
    if (trimmed.startsWith('{')) return { format: 'ndjson', sample: [], bad: [] };
    throw problems.notJson(1, shortened(trimmed));
  }
  const value = parsed(first);
  if (isJsonObject(value)) return { format: 'ndjson', ...readLines(complete) };
  const spread = spreadSample(text);
  if (spread.length > 0) return { format: 'json', sample: spread, bad: [] };
  if (value !== undefined && !isCsv(first, complete[at + 1])) {
    throw problems.notAnObject(at + 1, value === null ? 'null' : `a ${typeof value}`);
  }
  if (first.trimStart().startsWith('{')) {
    const later = complete.slice(at + 1).some(line => isJsonObject(parsed(line)));
    // An invalid line among valid ones is rejected alone; the file is still importable.
    if (later) return { format: 'ndjson', ...readLines(complete) };
    if (/^\{\s*$|^\{\s*"[^"]*"\s*:.*,\s*$/.test(first.trim())) throw problems.oneObject(at + 1);
  }
  if (isCsv(first, complete[at + 1])) return asCsv(text, whole);
  throw problems.notJson(at + 1, shortened(first));
}

/** Returns the objects at the beginning of an array that may be incomplete. */
function arraySample(text: string, whole: boolean): JsonObject[] {
  const all = parsed(text);
  if (Array.isArray(all)) {
    const index = all.findIndex(item => !isJsonObject(item));
    if (index >= 0) {
      const item: unknown = all[index];
      throw problems.notAnObject(1, t`${JSON.stringify(item)?.slice(0, 40)} as element ${index + 1}`);
    }
    if (all.length === 0) throw problems.empty();
    return all.filter(isJsonObject);
  }
  const broken = jsonSyntaxError(text);
  if (broken !== null && (whole || !broken.ended)) throw problems.brokenArray(broken);
  const sample: JsonObject[] = [];
  for (let end = text.lastIndexOf('}'); end > 0; end = text.lastIndexOf('}', end - 1)) {
    const front = parsed(`${text.slice(0, end + 1)}]`);
    if (Array.isArray(front)) return front.filter(isJsonObject);
    if (text.length - end > 16_384) break;
  }
  return sample;
}

function asCsv(text: string, whole: boolean): Sniffed {
  const csv = csvBeginning(text, whole);
  const { columns, sample, bad } = csvSample(csv, csv.delimiter);
  if (columns.length > 0 && sample.length === 0 && whole && bad.length === 0) throw problems.onlyNames();
  return { format: 'csv', sample, bad, csv };
}

/** Reads documents of several lines each, where a closing bracket at the beginning of a line ends each one. */
function spreadSample(text: string): JsonObject[] {
  if (!/^\s*\{[ \t]*\r?\n/.test(text)) return [];
  const documents = text.split(/(?<=^\},?)[ \t]*\r?$/m).map(part => parsed(part.trim().replace(/,$/, '')));
  const broken = documents.findIndex(document => !isJsonObject(document));
  return documents.slice(0, broken < 0 ? documents.length : broken).filter(isJsonObject);
}
