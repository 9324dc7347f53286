import { textOfBytes } from '../../../deadline-mirror/bytes-text.ts';
import { LONGEST_KEY_BYTES } from '../../../deadline-mirror/key-id.ts';
import { matchesGlob } from './glob.ts';

/**
 * Collection of the keys without a separator.
 * @internal
 */
export const NO_PREFIX = '(no prefix)';

/** Rules that assign keys to collections; a setting of each connection. */
export interface Grouping {
  /** The text before its first occurrence is the collection's name; null: keys are not grouped by prefix. */
  readonly separator: string | null;
  /** Collections by pattern; the first match takes precedence over the prefix. */
  readonly patterns: readonly { readonly name: string; readonly pattern: string }[];
}

/** The most common ones first. */
const SEPARATORS = [':', '/', '.', '|', '#', '-', '_'] as const;
/** Least share of the sampled keys that contain a separator. */
const LEAST_SHARE = 0.5;
/**
 * If a smaller share of the sampled keys repeats a prefix, prefixes are values and not groups: of 2,000 keys with
 * 10,000 prefixes, 9 % repeat one.
 */
const LEAST_REPEATED_SHARE = 0.02;
/** In a sample of fewer keys, prefixes need not repeat. */
const SMALL_SAMPLE = 50;

/**
 * Returns the separator of a sample of keys: the first of SEPARATORS that most keys contain and that forms groups; null
 * if there is none.
 */
export function recogniseSeparator(keys: readonly Buffer[]): string | null {
  return SEPARATORS.find(separator => formsGroups(keys, separator)) ?? null;
}

function formsGroups(keys: readonly Buffer[], separator: string): boolean {
  const prefixes = new Set<string>();
  let containing = 0;
  for (const key of keys) {
    const at = key.indexOf(separator);
    if (at <= 0) continue;
    containing++;
    prefixes.add(key.toString('latin1', 0, at));
  }
  if (containing === 0 || containing < keys.length * LEAST_SHARE) return false;
  const repeated = containing - prefixes.size;
  return keys.length < SMALL_SAMPLE || repeated >= containing * LEAST_REPEATED_SHARE;
}

/** Returns the function that names the collection of a key. */
export function collectionNaming({ separator, patterns }: Grouping): (key: Buffer) => string {
  const named = patterns.map(({ name, pattern }) => ({ name, pattern: Buffer.from(pattern) }));
  const ending = separator === null || separator === '' ? null : Buffer.from(separator);
  return key => {
    for (const { name, pattern } of named) if (matchesGlob(pattern, key)) return name;
    const at = ending === null ? -1 : key.indexOf(ending);
    return at <= 0 || at > LONGEST_KEY_BYTES ? NO_PREFIX : textOfBytes(key.subarray(0, at));
  };
}
