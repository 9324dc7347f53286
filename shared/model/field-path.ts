/**
 * Returns the value at a dotted path (`meta.expires`); undefined if any step is missing [D1]. Steps do not enter
 * arrays.
 */
export function valueAt(document: unknown, path: readonly string[]): unknown {
  let value = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Sentences about a text that is not a field path, in one language. */
export interface FieldPathSentences {
  empty: string;
  tooLong: string;
  emptyStep: (field: string) => string;
}

const ENGLISH: FieldPathSentences = {
  empty: 'Name the field that holds the date.',
  tooLong: 'A field path has at most 512 characters.',
  emptyStep: field =>
    `“${field}” has an empty step; a path is names joined by single dots, such as meta.expires.`,
};

/** Returns the reason why `field` is not a field path; null if it is one. */
export function fieldPathProblem(field: string, sentences = ENGLISH): string | null {
  if (field.length === 0) return sentences.empty;
  if (field.length > 512) return sentences.tooLong;
  if (field.split('.').some(step => step.length === 0)) return sentences.emptyStep(field);
  return null;
}
