import { RE2JS, RE2JSException } from 're2js';
import { spend, spendCharacters } from './cel-cost.ts';
import { sizeOf } from './cel-functions.ts';
import { EvaluationProblem } from './cel-problem.ts';
import { aKind, Duration, Timestamp } from './cel-values.ts';

export type Method = (receiver: unknown, ...args: unknown[]) => unknown;

/** CEL's methods, `receiver.name(…)`. What depends on a calendar is in UTC, whatever the machine's zone. */
export const METHODS: Readonly<Record<string, Method>> = {
  size: sizeOf,
  startsWith: ofStrings('startsWith', (text, part) => text.startsWith(part)),
  endsWith: ofStrings('endsWith', (text, part) => text.endsWith(part)),
  contains: ofStrings('contains', (text, part) => text.includes(part)),
  indexOf: ofStrings('indexOf', (text, part) => BigInt(text.indexOf(part))),
  lastIndexOf: ofStrings('lastIndexOf', (text, part) => BigInt(text.lastIndexOf(part))),
  matches: ofStrings('matches', matches),
  split: ofStrings('split', (text, separator) => {
    spend(text.length);
    return text.split(separator);
  }),
  lowerAscii: ofString('lowerAscii', text => text.toLowerCase()),
  upperAscii: ofString('upperAscii', text => text.toUpperCase()),
  trim: ofString('trim', text => text.trim()),
  substring: (text, start, end) => {
    if (typeof text !== 'string') throw wrongReceiver('substring', 'string', text);
    return text.substring(Number(start), end === undefined ? text.length : Number(end));
  },
  join: (list, separator = '') => {
    if (!Array.isArray(list)) throw wrongReceiver('join', 'list', list);
    spend(list.length);
    for (const item of list) if (typeof item === 'string') spendCharacters(item.length);
    spendCharacters(list.length * String(separator).length);
    return list.map(String).join(String(separator));
  },
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

/** A part of a timestamp; with `unitMs`, of a duration as well: there it is how many of the unit fit in. */
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
    spendCharacters(text.length);
    return of(text);
  };
}

function ofStrings(name: string, of: (text: string, argument: string) => unknown): Method {
  return (text, argument) => {
    if (typeof text !== 'string') throw wrongReceiver(name, 'string', text);
    if (typeof argument === 'string') {
      spendCharacters(text.length + argument.length);
      return of(text, argument);
    }
    throw new EvaluationProblem(`${name} takes a string, not ${aKind(argument)}.`);
  };
}

/** As CEL has it, patterns are RE2's: without backtracking, a text costs no more than its length times the pattern's. */
function matches(text: string, pattern: string): boolean {
  const compiled = regularExpression(pattern);
  spend(text.length * compiled.programSize());
  return compiled.test(text);
}

const MOST_KEPT = 16;
/** Steps of compiling a pattern, and each of its characters: `{1000}` is six of them and a thousand parts. */
const COMPILED = 2_000;
const COMPILED_CHARACTER = 2_000;

/** A pattern that is used for every document is compiled once. */
const kept = new Map<string, RE2JS>();
export function regularExpression(pattern: unknown): RE2JS {
  if (typeof pattern !== 'string')
    throw new EvaluationProblem(`matches takes a string, not ${aKind(pattern)}.`);
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  spend(COMPILED + pattern.length * COMPILED_CHARACTER);
  const compiled = compiledPattern(pattern);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(pattern, compiled);
  return compiled;
}

function compiledPattern(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new EvaluationProblem(`matches: “${pattern}” is not a regular expression: ${error.message}.`);
  }
}

function wrongReceiver(name: string, wanted: string, value: unknown): EvaluationProblem {
  return new EvaluationProblem(`${name} is asked of ${aKind(value)}; it needs a ${wanted}.`);
}
