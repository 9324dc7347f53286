import { isJsonObject, type JsonObject, parseJson } from '../../../shared/model/json/json.ts';

/** A line of the beginning that the engine will reject. */
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

/** The documents among these lines, and what is none; blank lines are neither. */
export function readLines(lines: readonly string[]): Lines {
  const found: Lines = { sample: [], bad: [] };
  lines.forEach((text, index) => {
    if (text.trim() === '') return;
    const value = parsed(text);
    if (isJsonObject(value)) found.sample.push(value);
    else found.bad.push({ line: index + 1, what: value === undefined ? 'no JSON' : 'no JSON object' });
  });
  return found;
}

const SHOWN = 3;

/** Told before the import: the first few by their line, the rest by number. */
export function badLineWords(bad: readonly BadLine[]): string {
  const told = bad.slice(0, SHOWN).map(({ line, what }) => `line ${line} is ${what}`);
  const more = bad.length - told.length;
  const all = [...told, ...(more > 0 ? [`${more} more of the beginning`] : [])].join(', ');
  const sentence = `${all}; ${bad.length === 1 ? 'it' : 'they'} will be rejected.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** The report of what the engine rejected, as a spreadsheet takes it: a line each, its columns parted by tabs. */
export function rejectedText(rejected: readonly { line: number; code: string; message: string }[]): string {
  return rejected
    .map(({ line, code, message }) => [line, code, message.replaceAll(/\s+/g, ' ')].join('\t'))
    .join('\n');
}
