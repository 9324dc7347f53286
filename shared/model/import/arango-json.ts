import { withoutMember } from '../json/member.ts';

const OURS = ['_key', '_id', '_rev'] as const;

/**
 * The JSON text of a document that arangoexport wrote, with its `_key` as `_id`. Its own `_id`, which only repeats the
 * collection before the key, and `_rev`, a revision that means nothing here, are left out; `_from` and `_to` of an edge
 * stay. Every other character is as it was. What is no object with one of the two ids is given back.
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
  // `sessions/4711`: a key holds no slash.
  return typeof id === 'string' && /^[^/]+\/[^/]+$/.test(id) ? id.slice(id.indexOf('/') + 1) : null;
}

/** True where arangoexport wrote it: it has a key, and an id that ends in it or a revision. */
export function isArangoJson(document: Readonly<Record<string, unknown>>): boolean {
  const { _key, _id, _rev } = document;
  if (typeof _key !== 'string') return false;
  return typeof _rev === 'string' || (typeof _id === 'string' && _id.endsWith(`/${_key}`));
}
