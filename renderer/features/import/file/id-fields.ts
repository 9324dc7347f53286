import type { JsonObject } from '../../../../shared/model/json/json.ts';

const USUAL = ['id', '_key', 'key', 'uuid', 'ID', 'Id'];

/**
 * Fields that can be the `_id`: present in every document of the sample, text or number, unique. Usual names come
 * first.
 */
export function idFields(sample: readonly JsonObject[]): string[] {
  const first = sample[0];
  if (first === undefined) return [];
  const fit = Object.keys(first).filter(field => {
    const values = new Set<unknown>();
    for (const document of sample) {
      const value = document[field];
      if (typeof value !== 'string' && typeof value !== 'number') return false;
      if (values.has(value)) return false;
      values.add(value);
    }
    return field !== '_id';
  });
  const rank = (field: string) => (USUAL.includes(field) ? USUAL.indexOf(field) : USUAL.length);
  return fit.sort((a, b) => rank(a) - rank(b)).slice(0, 20);
}

/** Whether every document of the sample has an `_id`. */
export function allHaveId(sample: readonly JsonObject[]): boolean {
  return sample.length > 0 && sample.every(document => '_id' in document);
}

/** Returns the candidate with a name that is usual for an id; empty: none. */
export function usualIdField(sample: readonly JsonObject[]): string {
  return idFields(sample).find(field => USUAL.includes(field)) ?? '';
}

/** Returns a collection name for a file name: `audit-2026` for `audit-2026.ndjson`. */
export function collectionNameFrom(fileName: string): string {
  const name = fileName
    .replace(/\.(ndjson|jsonl|json|csv|tsv|txt)$/i, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: valid in file names, invalid in collection names
    .replace(/[/\u0000-\u001f\u007f]/g, '_')
    .trim();
  return [...name].slice(0, 120).join('') || 'imported';
}
