import type { RE2JS } from 're2js';
import { make, makeItem, makeText, spend, spendCharacters } from './cost.ts';
import { sizeOf, toText } from './functions.ts';
import { regularExpression } from './pattern.ts';
import { EvaluationProblem } from './problem.ts';
import { firstIndexOf, lastIndexOf } from './text-search.ts';
import { aKind, Duration, isNumber, Timestamp } from './values.ts';

export type Method = (receiver: unknown, ...args: unknown[]) => unknown;

/** CEL's methods, `receiver.name(…)`. Methods of dates use UTC, regardless of the machine's zone. */
export const METHODS: Readonly<Record<string, Method>> = {
  size: sizeOf,
  startsWith: ofStrings('startsWith', (text, part) => {
    spendCharacters(part.length);
    return text.startsWith(part);
  }),
  endsWith: ofStrings('endsWith', (text, part) => {
    spendCharacters(part.length);
    return text.endsWith(part);
  }),
  contains: ofStrings('contains', (text, part) => {
    spendSearch(text, part);
    return firstIndexOf(text, part) >= 0;
  }),
  indexOf: ofStrings('indexOf', (text, part) => {
    spendSearch(text, part);
    return BigInt(firstIndexOf(text, part));
  }),
  lastIndexOf: ofStrings('lastIndexOf', (text, part) => {
    spendThorough(text, part);
    return BigInt(lastIndexOf(text, part));
  }),
  matches: ofStrings('matches', (text, pattern) => matches(text, regularExpression(pattern))),
  split: ofStrings('split', split),
  replace,
  lowerAscii: ofString('lowerAscii', text => {
    spendCased(text);
    return text.toLowerCase();
  }),
  upperAscii: ofString('upperAscii', text => {
    spendCased(text);
    return text.toUpperCase();
  }),
  trim: ofString('trim', text => {
    spendCharacters(4 * text.length);
    return text.trim();
  }),
  substring,
  join,
  getFullYear: inUtc('getFullYear', date => date.getUTCFullYear()),
  getMonth: inUtc('getMonth', date => date.getUTCMonth()),
  getDate: inUtc('getDate', date => date.getUTCDate()),
  getDayOfMonth: inUtc('getDayOfMonth', date => date.getUTCDate() - 1),
  getDayOfWeek: inUtc('getDayOfWeek', date => date.getUTCDay()),
  getDayOfYear: inUtc('getDayOfYear', date =>
    Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000),
  ),
  getHours: inUtc('getHours', date => date.getUTCHours(), 3_600_000),
  getMinutes: inUtc('getMinutes', date => date.getUTCMinutes(), 60_000),
  getSeconds: inUtc('getSeconds', date => date.getUTCSeconds(), 1_000),
  getMilliseconds: inUtc('getMilliseconds', date => date.getUTCMilliseconds(), 1),
};

/** Charges V8's own search, or a search by character. */
function spendSearch(text: string, part: string): void {
  if (part.length <= LONGEST_FAST_PART) spendCharacters(FAST_SEARCH * (text.length + part.length));
  else spendThorough(text, part);
}
const LONGEST_FAST_PART = 250;
const FAST_SEARCH = 4;

function spendThorough(text: string, part: string): void {
  spend((text.length + part.length) / 2);
  make(4 * part.length);
}

/** Text with letters outside Latin-1 is converted by character. A letter may become up to three. */
function spendCased(text: string): void {
  spendCharacters(4 * text.length);
  makeText(3 * text.length);
}

function split(text: string, separator: string): string[] {
  if (separator === '') {
    spend(text.length);
    make(PIECE_BYTES * text.length);
    return text.split('');
  }
  const pieces: string[] = [];
  spendSearch(text, separator);
  for (let from = 0; ; ) {
    const at = firstIndexOf(text, separator, from);
    spend(PIECE_STEPS);
    make(PIECE_BYTES);
    makeItem();
    pieces.push(text.slice(from, at < 0 ? text.length : at));
    if (at < 0) return pieces;
    from = at + separator.length;
  }
}
/** V8 stores a longer piece as a view of the text. */
const PIECE_BYTES = 40;
const PIECE_STEPS = 4;

function substring(text: unknown, start: unknown, end?: unknown): string {
  if (typeof text !== 'string') throw wrongReceiver('substring', 'string', text);
  const last = end === undefined ? text.length : end;
  if (!isNumber(start) || !isNumber(last))
    throw new EvaluationProblem(`substring takes numbers, not ${aKind(isNumber(start) ? last : start)}.`);
  make(PIECE_BYTES);
  return text.substring(Number(start), Number(last));
}

/** Replaces every occurrence of `part`; the empty string occurs around each character. */
function replace(text: unknown, part: unknown, other: unknown): string {
  if (typeof text !== 'string') throw wrongReceiver('replace', 'string', text);
  for (const argument of [part, other])
    if (typeof argument !== 'string')
      throw new EvaluationProblem(`replace takes strings, not ${aKind(argument)}.`);
  const [sought, replacement] = [String(part), String(other)];
  const pieces = sought === '' ? ['', ...split(text, ''), ''] : split(text, sought);
  makeText(text.length + (pieces.length - 1) * replacement.length);
  return pieces.join(replacement);
}

/** Joins strings and values that `string(…)` accepts. Lists and maps have no text: their nesting has no limit. */
function join(list: unknown, separator: unknown = ''): string {
  if (!Array.isArray(list)) throw wrongReceiver('join', 'list', list);
  if (typeof separator !== 'string')
    throw new EvaluationProblem(`join takes a string, not ${aKind(separator)}.`);
  makeText(list.length * separator.length);
  spend(list.length);
  const texts = list.map((item: unknown) => {
    const text = toText(item);
    makeText(text.length);
    return text;
  });
  return texts.join(separator);
}

/** Returns a method for a part of a timestamp; with `unitMs` also of a duration: the number of whole units. */
function inUtc(name: string, part: (date: Date) => number, unitMs?: number): Method {
  return receiver => {
    if (receiver instanceof Duration && unitMs !== undefined)
      return BigInt(Math.trunc(receiver.ms / unitMs) || 0);
    if (!(receiver instanceof Timestamp)) throw wrongReceiver(name, 'timestamp', receiver);
    return BigInt(part(new Date(receiver.ms)));
  };
}

function ofString(name: string, of: (text: string) => unknown): Method {
  return text => {
    if (typeof text !== 'string') throw wrongReceiver(name, 'string', text);
    return of(text);
  };
}

function ofStrings(name: string, of: (text: string, argument: string) => unknown): Method {
  return (text, argument) => {
    if (typeof text !== 'string') throw wrongReceiver(name, 'string', text);
    if (typeof argument === 'string') return of(text, argument);
    throw new EvaluationProblem(`${name} takes a string, not ${aKind(argument)}.`);
  };
}

/**
 * Matches without backtracking: the cost is at most the length of the text times that of the pattern. Throws
 * EvaluationProblem if `text` is not a string.
 */
export function matches(text: unknown, pattern: RE2JS): boolean {
  if (typeof text !== 'string') throw wrongReceiver('matches', 'string', text);
  spend(MATCH_STEPS + text.length * pattern.programSize());
  return pattern.test(text);
}
const MATCH_STEPS = 50;

function wrongReceiver(name: string, wanted: string, value: unknown): EvaluationProblem {
  return new EvaluationProblem(`${name} needs a ${wanted}, not ${aKind(value)}.`);
}
