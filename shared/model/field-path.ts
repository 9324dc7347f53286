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

/** Returns why `field` is not a field path; null if it is one. */
export function fieldPathProblem(field: string): string | null {
  if (field.length === 0) return 'Name the field that holds the date.';
  if (field.length > 512) return 'A field path has at most 512 characters.';
  if (field.split('.').some(step => step.length === 0)) {
    return `“${field}” has an empty step; a path is names joined by single dots, such as meta.expires.`;
  }
  return null;
}
