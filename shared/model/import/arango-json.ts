import { withoutMember } from '../json/member.ts';

const OURS = ['_key', '_id', '_rev'] as const;

/**
 * Returns the JSON text of a document from arangoexport with its `_key` as `_id`. Removes its own `_id`, which repeats
 * the collection and the key, and `_rev`, which is not used here; keeps `_from` and `_to` of an edge. Every other
 * character is unchanged. A text that is not an object with one of the two ids is returned unchanged.
 */
export function withKeyAsId(text: string): string {
  const id = keyOf(text);
  if (id === null) return text;
  const rest = OURS.reduce(withoutMember, text).trim().slice(1).trimStart();
  return `{"_id":${JSON.stringify(id)}${rest.startsWith('}') ? '' : ','}${rest}`;
}

function keyOf(text: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const [key, id]: unknown[] = [Reflect.get(value, '_key'), Reflect.get(value, '_id')];
  if (typeof key === 'string') return key;
  // `sessions/4711`: a key contains no slash.
  return typeof id === 'string' && /^[^/]+\/[^/]+$/.test(id) ? id.slice(id.indexOf('/') + 1) : null;
}

/** Returns whether a document is from arangoexport: it has a key, and an id that ends in it or a revision. */
export function isArangoJson(document: Readonly<Record<string, unknown>>): boolean {
  const { _key, _id, _rev } = document;
  if (typeof _key !== 'string') return false;
  return typeof _rev === 'string' || (typeof _id === 'string' && _id.endsWith(`/${_key}`));
}
