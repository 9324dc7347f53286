import { SandglassError } from './errors.ts';
import { hasControlCharacters } from './visible-text.ts';

export const LONGEST_NAME = 120;
export const LONGEST_ID_BYTES = 512;
export const LARGEST_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Sentences about invalid names in one language. */
export interface NameSentences {
  empty: string;
  tooLong: (longest: number) => string;
  incomplete: string;
  reserved: (name: string) => string;
  notInAddress: (name: string) => string;
  badCharacters: string;
}

const ENGLISH: NameSentences = {
  empty: 'A name has at least one character.',
  tooLong: longest => `A name has at most ${longest} characters.`,
  incomplete: 'A name has an incomplete character (unpaired surrogate).',
  reserved: name => `“${name}” has a meaning of its own in JavaScript.`,
  notInAddress: name => `“${name}” cannot be part of an address.`,
  badCharacters: 'A name cannot contain “/” or control characters.',
};

/** Returns the reason why `name` is not a collection or index name; null if it is valid [C1]. */
export function nameProblem(name: string, sentences = ENGLISH): string | null {
  if (name.length === 0) return sentences.empty;
  if ([...name].length > LONGEST_NAME) return sentences.tooLong(LONGEST_NAME);
  if (!name.isWellFormed()) return sentences.incomplete;
  // Counts by name are objects: JSON with this member would lose its count.
  if (name === '__proto__') return sentences.reserved(name);
  // In a URL path these names mean the folder itself and its parent, and clients remove them, escaped or not.
  if (name === '.' || name === '..') return sentences.notInAddress(name);
  if (name.includes('/') || hasControlCharacters(name)) return sentences.badCharacters;
  return null;
}

/** Throws INVALID_NAME unless `name` is valid for a collection, an index, a token or a follower [C1]. */
export function checkName(kind: 'collection' | 'index' | 'token' | 'follower', name: string): void {
  const problem = nameProblem(name);
  if (problem !== null) {
    throw new SandglassError('INVALID_NAME', `This ${kind} name cannot be used: ${problem}`, { name });
  }
}

/** Returns the size of `text` in UTF-8, as SQLite counts it, bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7ff) bytes += 2;
    else if (unit > 0x7f) bytes += 1;
    // A surrogate pair is four bytes in two units: each unit counts two.
    if (unit >= 0xd800 && unit <= 0xdfff) bytes -= 1;
  }
  return bytes;
}

/** Sentences about invalid `_id`s in one language. */
export interface IdSentences {
  notAString: (type: string) => string;
  empty: string;
  tooLong: (longestBytes: number) => string;
  incomplete: string;
}

const ENGLISH_OF_ID: IdSentences = {
  notAString: type => `_id is a string; this one is ${type}.`,
  empty: '_id is empty; omit it to have one generated.',
  tooLong: longestBytes => `_id has at most ${longestBytes} bytes.`,
  incomplete: '_id has an incomplete character (unpaired surrogate).',
};

/**
 * Returns the reason why `id` is not a document `_id`, a string of 1 to 512 bytes of UTF-8; null if it is valid [C1].
 */
export function idProblem(id: unknown, sentences = ENGLISH_OF_ID): string | null {
  if (typeof id !== 'string') return sentences.notAString(id === null ? 'null' : typeof id);
  if (id.length === 0) return sentences.empty;
  // A character takes at most three bytes: most `_id`s need not be measured.
  if (3 * id.length > LONGEST_ID_BYTES && utf8Length(id) > LONGEST_ID_BYTES)
    return sentences.tooLong(LONGEST_ID_BYTES);
  return id.isWellFormed() ? null : sentences.incomplete;
}
