const STAR = 0x2a;
const QUESTION = 0x3f;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const BACKSLASH = 0x5c;
const CARET = 0x5e;
const DASH = 0x2d;

/**
 * Whether a key matches a pattern of Redis (`*`, `?`, `[a-z]`, `[^a]`, `\x`). Takes at most pattern × key steps, since
 * only the last star is retried.
 */
export function matchesGlob(pattern: Buffer, key: Buffer): boolean {
  let p = 0;
  let k = 0;
  let star = -1;
  let starAt = 0;
  while (k < key.length) {
    if (pattern[p] === STAR) {
      star = p++;
      starAt = k;
      continue;
    }
    const next = p < pattern.length ? matchOne(pattern, p, key[k]) : null;
    if (next !== null) {
      p = next;
      k++;
    } else if (star >= 0) {
      p = star + 1;
      k = ++starAt;
    } else {
      return false;
    }
  }
  while (pattern[p] === STAR) p++;
  return p === pattern.length;
}

/** Returns the position after the element at `p` if it matches the byte, else null. */
function matchOne(pattern: Buffer, p: number, byte: number | undefined): number | null {
  const first = pattern[p];
  if (first === QUESTION) return p + 1;
  if (first === OPEN) return matchClass(pattern, p + 1, byte);
  const literal = first === BACKSLASH && p + 1 < pattern.length ? p + 1 : p;
  return pattern[literal] === byte ? literal + 1 : null;
}

function matchClass(pattern: Buffer, from: number, byte: number | undefined): number | null {
  const negated = pattern[from] === CARET;
  let p = negated ? from + 1 : from;
  let found = false;
  while (p < pattern.length && pattern[p] !== CLOSE) {
    if (pattern[p] === BACKSLASH && p + 1 < pattern.length) p++;
    const low = pattern[p] ?? 0;
    const isRange = pattern[p + 1] === DASH && p + 2 < pattern.length && pattern[p + 2] !== CLOSE;
    const high = isRange ? (pattern[p + 2] ?? 0) : low;
    if (byte !== undefined && byte >= Math.min(low, high) && byte <= Math.max(low, high)) found = true;
    p += isRange ? 3 : 1;
  }
  return found === negated ? null : Math.min(p + 1, pattern.length);
}
