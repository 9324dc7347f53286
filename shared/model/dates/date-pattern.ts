/**
 * The pattern language of date formats [D3]: Unicode's date field symbols (docs/date-formats.md). A letter is a field,
 * and its repetition gives the number of digits or the kind of name. Text in quotes and every other character are
 * literal.
 */
export type PatternPart =
  | { kind: 'literal'; text: string }
  /** One or more spaces. */
  | { kind: 'spaces' }
  | { kind: 'field'; symbol: FieldSymbol; count: number };

export type FieldSymbol = keyof typeof FIELDS;

interface FieldRule {
  /** Permitted repetitions. */
  counts: readonly number[];
  /** The part of a date that the field gives: two symbols of one part exclude each other. */
  gives: 'year' | 'month' | 'day' | 'weekday' | 'half' | 'hour' | 'minute' | 'second' | 'fraction' | 'offset';
}

const FIELDS = {
  y: { counts: [1, 2, 4], gives: 'year' },
  u: { counts: [1, 4], gives: 'year' },
  M: { counts: [1, 2, 3, 4], gives: 'month' },
  L: { counts: [1, 2, 3, 4], gives: 'month' },
  d: { counts: [1, 2], gives: 'day' },
  E: { counts: [1, 2, 3, 4], gives: 'weekday' },
  a: { counts: [1], gives: 'half' },
  H: { counts: [1, 2], gives: 'hour' },
  h: { counts: [1, 2], gives: 'hour' },
  m: { counts: [1, 2], gives: 'minute' },
  s: { counts: [1, 2], gives: 'second' },
  S: { counts: [1, 2, 3, 4, 5, 6, 7, 8, 9], gives: 'fraction' },
  X: { counts: [1, 2, 3], gives: 'offset' },
  x: { counts: [1, 2, 3], gives: 'offset' },
  Z: { counts: [1, 2, 3, 5], gives: 'offset' },
  z: { counts: [1, 2, 3], gives: 'offset' },
} as const satisfies Readonly<Record<string, FieldRule>>;

/** Letters that are often used for another field by mistake. */
const MEANT: Readonly<Record<string, string>> = {
  Y: 'Y is the year of a week; write yyyy for the year.',
  D: 'D is the day of the year; write dd for the day of the month.',
  T: "To read the letter T, put it in quotes: 'T'.",
  A: 'Write a for AM or PM.',
  k: 'Write HH for the hours 00 to 23.',
  K: 'Write hh for the hours 01 to 12.',
  n: 'Write S for a fraction of a second, one letter per digit.',
  V: 'The name of a zone is not read from text: name one zone for the index.',
};

export const LONGEST_PATTERN = 100;

/** Returns the parts of a pattern, or the problem as a sentence. */
export function parsePattern(pattern: string): { parts: readonly PatternPart[] } | { problem: string } {
  if (pattern.trim() === '') return { problem: 'A date format is a pattern such as yyyy-MM-dd HH:mm:ss.' };
  if (pattern.length > LONGEST_PATTERN)
    return { problem: `A date format has at most ${LONGEST_PATTERN} characters.` };
  const parts: PatternPart[] = [];
  for (let i = 0; i < pattern.length; ) {
    const character = pattern.charAt(i);
    if (character === "'") {
      const quoted = quotedText(pattern, i);
      if (quoted === null)
        return { problem: `The quote at character ${i + 1} of “${pattern}” is not closed.` };
      parts.push({ kind: 'literal', text: quoted.text });
      i = quoted.end;
    } else if (/[A-Za-z]/.test(character)) {
      let end = i + 1;
      while (pattern.charAt(end) === character) end += 1;
      const field = fieldOf(character, end - i);
      if (typeof field === 'string') return { problem: field };
      parts.push(field);
      i = end;
    } else if (character === ' ') {
      if (parts.at(-1)?.kind !== 'spaces') parts.push({ kind: 'spaces' });
      i += 1;
    } else {
      parts.push({ kind: 'literal', text: character });
      i += 1;
    }
  }
  const problem = problemOf(parts);
  return problem === null ? { parts } : { problem };
}

/** Reads `'text'` from `start` on; `''` is a quote, inside and outside. */
function quotedText(pattern: string, start: number): { text: string; end: number } | null {
  if (pattern.charAt(start + 1) === "'") return { text: "'", end: start + 2 };
  let text = '';
  for (let i = start + 1; i < pattern.length; i++) {
    const character = pattern.charAt(i);
    if (character !== "'") text += character;
    else if (pattern.charAt(i + 1) !== "'") return { text, end: i + 1 };
    else {
      text += "'";
      i += 1;
    }
  }
  return null;
}

function fieldOf(letter: string, count: number): PatternPart | string {
  if (!isSymbol(letter)) {
    const hint = MEANT[letter] ?? `To read the letter ${letter}, put it in quotes: '${letter}'.`;
    return `“${letter}” is not a field of a date format. ${hint}`;
  }
  const { counts } = FIELDS[letter];
  if (counts.some(permitted => permitted === count)) return { kind: 'field', symbol: letter, count };
  const permitted = counts.map(each => letter.repeat(each)).join(', ');
  return `“${letter.repeat(count)}” is not a field of a date format; there are ${permitted}.`;
}

function isSymbol(letter: string): letter is FieldSymbol {
  return Object.hasOwn(FIELDS, letter);
}

/** For each part of a time, another part that it requires. */
const NEEDS = [
  ['minute', 'hour', 'Minutes need hours: HH, or hh with a.'],
  ['second', 'minute', 'Seconds need minutes: mm.'],
  ['fraction', 'second', 'A fraction needs seconds: ss.'],
] as const;

function problemOf(parts: readonly PatternPart[]): string | null {
  const symbols = new Map<string, FieldSymbol>();
  for (const part of parts) {
    if (part.kind !== 'field') continue;
    const { gives } = FIELDS[part.symbol];
    if (symbols.has(gives)) return `A date format has one ${gives === 'half' ? 'AM or PM' : gives}.`;
    symbols.set(gives, part.symbol);
  }
  if (!symbols.has('year') || !symbols.has('month') || !symbols.has('day'))
    return 'A date format needs a year (yyyy), a month (MM or MMM) and a day (dd).';
  for (const [part, other, problem] of NEEDS) if (symbols.has(part) && !symbols.has(other)) return problem;
  if ((symbols.get('hour') === 'h') !== symbols.has('half'))
    return 'Hours of 1 to 12 (hh) and AM or PM (a) need each other; hours of 0 to 23 are HH.';
  return adjacencyProblem(parts);
}

/** A number of variable length cannot end where the next one begins. */
function adjacencyProblem(parts: readonly PatternPart[]): string | null {
  for (const [i, part] of parts.entries()) {
    const next = parts[i + 1];
    if (part.kind !== 'field' || !isNumeric(part) || next?.kind !== 'field' || !isNumeric(next)) continue;
    if (part.count === 1 && part.symbol !== 'S' && part.symbol !== 'y' && part.symbol !== 'u') {
      const written = part.symbol.repeat(2);
      return `“${part.symbol}” reads one or two digits, and digits follow: write ${written}.`;
    }
  }
  return null;
}

/** Returns whether the field is written in digits only. */
export function isNumeric(part: PatternPart): boolean {
  if (part.kind !== 'field') return false;
  const { gives } = FIELDS[part.symbol];
  if (gives === 'weekday' || gives === 'half' || gives === 'offset') return false;
  return gives !== 'month' || part.count <= 2;
}

/** Returns whether the pattern has digits only, as `yyyyMMdd`: then numbers can be read with it, too. */
export function isAllDigits(parts: readonly PatternPart[]): boolean {
  return parts.every(isNumeric);
}
