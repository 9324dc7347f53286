/** Between the texts of a list: ASCII's record separator, which JSON text cannot hold unescaped. */
export const SEPARATOR = '\u001e';

/** Names that mean nothing in JSON: the first of these after a quote is inside a string. */
const PLAIN_NAME = /^[\p{L}\p{N}_$@-]+$/u;
/** Longer ones might not be whole numbers of JavaScript's. */
const MOST_DIGITS = 15;
const [SPACE, QUOTE, COMMA, ZERO, COLON, CLOSE] = [0x20, 0x22, 0x2c, 0x30, 0x3a, 0x7d];

/** Whether `documentsByField` knows how to look for it: a field of the document itself, of an ordinary name. */
export function isPlainField(field: string): boolean {
  return PLAIN_NAME.test(field);
}

/**
 * The documents of a list of JSON texts, for who looks at one plain field and at nothing else: where that can be told
 * from the text, a document has that field alone; any other is parsed. Parsing takes three times as long. Where a text is
 * empty the answer is null.
 *
 * Told from the text is a field that is named once, before another object begins, in a document without a backslash.
 * Each quote then begins or ends a string, so the name between quotes is this object's key or some string, and its colon
 * says which.
 */
export function documentsByField(list: string, field: string): unknown[] {
  const key = `"${field}"`;
  const ends = new Search(list, SEPARATOR);
  const keys = new Search(list, key);
  const escapes = new Search(list, '\\');
  const objects = new Search(list, '{');
  const documents: unknown[] = [];
  for (let start = 0; start <= list.length; ) {
    const end = Math.min(ends.from(start), list.length);
    const at = keys.from(start);
    let document: unknown;
    if (escapes.from(start) >= end) {
      if (at >= end) document = {};
      else if (objects.from(start + 1) > at && keys.from(at + 1) >= end) {
        const value = plainValue(list, at + key.length);
        if (value !== undefined) document = { [field]: value };
      }
    }
    if (start === end) document = null;
    documents.push(document === undefined ? JSON.parse(list.slice(start, end)) : document);
    start = end + 1;
  }
  return documents;
}

/** The number or string after a key that ends at `from`; undefined: it is neither, or no key. */
function plainValue(text: string, from: number): number | string | undefined {
  let i = afterSpaces(text, from);
  if (text.charCodeAt(i) !== COLON) return undefined;
  i = afterSpaces(text, i + 1);
  if (text.charCodeAt(i) === QUOTE) return text.slice(i + 1, text.indexOf('"', i + 1));
  const first = i;
  let number = 0;
  for (;;) {
    const digit = text.charCodeAt(i) - ZERO;
    if (!(digit >= 0 && digit <= 9)) break;
    number = number * 10 + digit;
    i += 1;
  }
  if (i === first || i - first > MOST_DIGITS) return undefined;
  const next = text.charCodeAt(i);
  return next === COMMA || next === CLOSE ? number : undefined;
}

function afterSpaces(text: string, from: number): number {
  let i = from;
  while (text.charCodeAt(i) === SPACE) i += 1;
  return i;
}

/** Where a text next holds something, asked for from places that only grow, so that all of it is looked at once. */
class Search {
  readonly #text: string;
  readonly #sought: string;
  #found = -1;

  constructor(text: string, sought: string) {
    this.#text = text;
    this.#sought = sought;
  }

  /** The first place at or after `from`; infinite where there is none. */
  from(from: number): number {
    if (this.#found < from) {
      const found = this.#text.indexOf(this.#sought, from);
      this.#found = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#found;
  }
}
