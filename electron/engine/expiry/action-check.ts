import { SandglassError } from '../../../shared/model/errors.ts';
import { hasNonFinite, hasProtoKey, isTooDeep, stringifyJson } from '../../../shared/model/json/json.ts';
import { LARGEST_DOCUMENT_BYTES, utf8Length } from '../../../shared/model/names.ts';
import type { OnExpire } from '../../../shared/model/ttl-index.ts';
import { prepareAction } from './action.ts';

/**
 * Checks an action as far as possible before any document expires [A2, A3, A4]. `collection` holds the documents;
 * `exists` returns whether a collection of that name exists. Throws INVALID_TTL_INDEX; for an expression, with line and
 * column.
 */
export function checkAction(
  onExpire: OnExpire,
  collection: string,
  exists: (collection: string) => boolean,
): void {
  const problem = problemOf(onExpire, collection, exists);
  if (problem !== null) throw new SandglassError('INVALID_TTL_INDEX', problem, { onExpire });
  prepareAction(onExpire);
}

function problemOf(
  onExpire: OnExpire,
  collection: string,
  exists: (collection: string) => boolean,
): string | null {
  if (onExpire.action === 'move') {
    if (onExpire.to === collection) {
      return `Documents of ${collection} are in ${collection} already; name another collection to move them to.`;
    }
    return exists(onExpire.to)
      ? null
      : `There is no collection named ${onExpire.to} to move to. Create it first.`;
  }
  if (onExpire.action !== 'patch') return null;
  const { patch } = onExpire;
  if (Object.hasOwn(patch, '_id')) return 'A patch cannot change _id: leave it out.';
  if (hasNonFinite(patch)) return 'The patch contains a number that JSON cannot represent.';
  const text = stringifyJson(patch);
  if (isTooDeep(text)) return 'Objects and arrays are nested too deeply in this patch.';
  if (hasProtoKey(text, patch)) return 'The patch has a key named __proto__, which cannot be stored.';
  if (utf8Length(text) > LARGEST_DOCUMENT_BYTES) return 'The patch is larger than a document may be.';
  return null;
}
