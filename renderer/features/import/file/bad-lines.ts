import { plural, t } from '@lingui/core/macro';
import { isJsonObject, type JsonObject, parseJson } from '../../../../shared/model/json/json.ts';
import { formatList } from '../../../i18n/sentence.ts';

/** A line of the sample that the engine will reject. */
export interface BadLine {
  line: number;
  what: string;
}

export interface Lines {
  sample: JsonObject[];
  bad: BadLine[];
}

export function parsed(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

/** Parses the documents of these lines and collects invalid ones; skips blank lines. */
export function readLines(lines: readonly string[]): Lines {
  const found: Lines = { sample: [], bad: [] };
  lines.forEach((text, index) => {
    if (text.trim() === '') return;
    const value = parsed(text);
    if (isJsonObject(value)) found.sample.push(value);
    else found.bad.push({ line: index + 1, what: value === undefined ? t`not JSON` : t`not a JSON object` });
  });
  return found;
}

const SHOWN = 3;

/** Warns before the import: the first invalid lines by number, the others by count. */
export function formatBadLines(bad: readonly BadLine[]): string {
  const named = bad.slice(0, SHOWN).map(({ line, what }) => t`line ${line} is ${what}`);
  const more = bad.length - named.length;
  const all = formatList([...named, ...(more > 0 ? [t`${more} more in the sample`] : [])]);
  const sentence = t`${all}; ${plural(bad.length, { one: 'it', other: 'they' })} will be rejected.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Report of rejected lines for a spreadsheet: one per line, columns separated by tabs. */
export function formatRejected(rejected: readonly { line: number; code: string; message: string }[]): string {
  return rejected
    .map(({ line, code, message }) => [line, code, message.replaceAll(/\s+/g, ' ')].join('\t'))
    .join('\n');
}
