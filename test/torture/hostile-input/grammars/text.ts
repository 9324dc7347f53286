import type { Random } from '../../../support/random.ts';

/** Texts that programs treat in a special way, or that are at a limit. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202e',
  'é',
  '😀',
  '../../etc/passwd',
  '/dev/null',
  '__proto__',
  'constructor',
  'toString',
  "'; DROP TABLE collections; --",
  '%s%n%x',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '9'.repeat(400),
  '-1',
  '0x10',
  'null',
  'true',
  '2030-02-30',
  '2030-01-01T25:00:00Z',
  '\r\nx-header: 1',
  '{"a":1}',
  '[',
];
const CHARACTERS = [
  ...'aZ09 _-.,:;/\\"\'`{}[]()<>*+?^$|&%#@!=~\t\n\r\u0000\u0007\u001b\u007f\u0085\u2028é😀',
];

/** A text of up to `most` characters of any kind. */
function noise(random: Random, most: number): string {
  return Array.from({ length: random.between(0, most) }, () => random.pick(CHARACTERS)).join('');
}

/** A text that is unlikely to be valid anywhere; sometimes long. */
export function hostileText(random: Random): string {
  const kind = random.between(0, 9);
  if (kind < 5) return random.pick(TEXTS);
  if (kind < 9) return noise(random, 20);
  return random.pick(['x', '9', '(', '\\', '\ud83d', ' ']).repeat(random.pick([121, 513, 5_000, 20_000]));
}

/** Repeats, removes, swaps or replaces parts of a valid text, up to three times. */
export function mutated(random: Random, text: string): string {
  let result = text;
  for (let left = random.between(1, 3); left > 0; left--) {
    const at = random.between(0, result.length);
    const end = Math.min(result.length, at + random.between(0, 6));
    const part = result.slice(at, end);
    const instead = random.pick([
      '',
      part + part,
      noise(random, 3),
      random.pick(TEXTS),
      part.split('').reverse().join(''),
      part.repeat(random.between(1, 50)),
    ]);
    result = result.slice(0, at) + instead + result.slice(end);
  }
  return result.slice(0, 100_000);
}

/** Builds a text from alternatives by name; a name in angle brackets stands for one of its alternatives. */
export function sentence(
  random: Random,
  rules: Readonly<Record<string, readonly string[]>>,
  start: string,
  depth = 8,
): string {
  const alternatives = rules[start];
  if (alternatives === undefined) throw new Error(`the grammar has no rule ${start}`);
  // The first alternative of each rule ends.
  const chosen = depth <= 0 ? (alternatives[0] ?? '') : random.pick(alternatives);
  return chosen.replace(/<([a-z]+)>/g, (_, name: string) => sentence(random, rules, name, depth - 1));
}
