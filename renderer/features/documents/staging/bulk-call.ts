import { jsonLine } from '../../../components/json-line.ts';
import { type ExpirationEdit, editBody } from '../expiration/expiration-edit.ts';

export function bulkPath(collection: string): string {
  return `/api/collections/${encodeURIComponent(collection)}/expirations`;
}

/** Body of the bulk call; `most` limits the `_id`s shown. */
export function bulkBody(edit: ExpirationEdit, ids: readonly string[], most = ids.length): string {
  const named = ids.slice(0, most).map(id => JSON.stringify(id));
  const rest = jsonLine(editBody(edit)).slice(1, -1);
  return `{"ids": [${named.join(', ')}], ${rest}}`;
}
