/**
 * Text search in time that is bounded by both lengths. V8's own search is bounded for short parts only: for longer
 * parts, and for any search from the end, some texts make it compare the whole part at every position.
 */

/** Most characters of a part for which V8's tables (Boyer-Moore) bound the time. */
const LONGEST_FOR_V8 = 250;

/** Returns the first position of `part` in `text` from `from` on; −1: none. */
export function firstIndexOf(text: string, part: string, from = 0): number {
  if (part.length <= LONGEST_FOR_V8) return text.indexOf(part, from);
  for (const at of placesOf(text, part, from)) return at;
  return -1;
}

/** Returns the last position of `part` in `text`; −1: none. */
export function lastIndexOf(text: string, part: string): number {
  if (part.length <= 1) return text.lastIndexOf(part);
  let last = -1;
  for (const at of placesOf(text, part, 0)) last = at;
  return last;
}

/** Yields every position of `part`; matches may overlap (Knuth-Morris-Pratt). */
function* placesOf(text: string, part: string, from: number): Generator<number> {
  const borders = bordersOf(part);
  let matched = 0;
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    while (matched > 0 && (matched === part.length || part.charCodeAt(matched) !== unit))
      matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === unit) matched += 1;
    if (matched === part.length) yield i + 1 - part.length;
  }
}

/** Returns, for each prefix of `part`, the length of its longest border. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let matched = 0;
  for (let i = 1; i < part.length; i++) {
    const unit = part.charCodeAt(i);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === unit) matched += 1;
    borders[i] = matched;
  }
  return borders;
}
