import type { JsonObject } from '../../../shared/model/json/json.ts';

const USUAL = ['id', '_key', 'key', 'uuid', 'ID', 'Id'];

/** Fields that could be each document's `_id`: there in all of the sample, text or number, none twice; usual names first. */
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

/** Every document of the sample brings its own. */
export function allHaveId(sample: readonly JsonObject[]): boolean {
  return sample.length > 0 && sample.every(document => '_id' in document);
}

/** The field that by its name is each document's id, and can be; empty where there is none. */
export function usualIdField(sample: readonly JsonObject[]): string {
  return idFields(sample).find(field => USUAL.includes(field)) ?? '';
}

/** A collection name from a file's: `audit-2026.ndjson` makes `audit-2026`. */
export function collectionNameFrom(fileName: string): string {
  const name = fileName
    .replace(/\.(ndjson|jsonl|json|csv|tsv|txt)$/i, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: names hold none, file names may
    .replace(/[/\u0000-\u001f\u007f]/g, '_')
    .trim();
  return [...name].slice(0, 120).join('') || 'imported';
}
