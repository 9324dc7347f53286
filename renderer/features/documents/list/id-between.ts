const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
/** Printable characters in the engine's order. */
const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
/** Characters compared: enough to distinguish documents, few enough for the precision of a number. */
const PLACES = 7;

/**
 * Returns a text about `fraction` (0 to 1) of the way from one `_id` to another, as if `_id`s were evenly distributed
 * between them, which is nearly true of counters and time-ordered UUIDs. A document with the result as its `_id` need
 * not exist.
 */
export function idBetween(first: string, last: string, fraction: number): string {
  const shared = sharedLength(first, last);
  const [from, to] = [first.slice(shared), last.slice(shared)];
  const alphabet = alphabetOf(from + to);
  const fixed = (place: number) => from[place] === '-' && to[place] === '-';
  const a = placeValue(from, alphabet, fixed);
  const b = placeValue(to, alphabet, fixed);
  return first.slice(0, shared) + textOf(a + (b - a) * fraction, alphabet, fixed);
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

function alphabetOf(text: string): string {
  const letters = text.replaceAll('-', '');
  return [DIGITS, HEX].find(alphabet => [...letters].every(letter => alphabet.includes(letter))) ?? PRINTABLE;
}

/** Returns the characters after the common prefix as a number below 1. */
function placeValue(text: string, alphabet: string, fixed: (place: number) => boolean): number {
  let value = 0;
  let weight = 1;
  for (let place = 0, counted = 0; counted < PLACES; place++) {
    if (fixed(place)) continue;
    counted += 1;
    weight /= alphabet.length;
    value += Math.max(0, alphabet.indexOf(text[place] ?? '')) * weight;
  }
  return value;
}

function textOf(value: number, alphabet: string, fixed: (place: number) => boolean): string {
  let text = '';
  let rest = value;
  for (let place = 0, counted = 0; counted < PLACES; place++) {
    if (fixed(place)) {
      text += '-';
      continue;
    }
    counted += 1;
    rest *= alphabet.length;
    const digit = Math.min(alphabet.length - 1, Math.floor(rest));
    text += alphabet[digit] ?? '';
    rest -= digit;
  }
  return text;
}
