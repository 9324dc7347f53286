import { jsonLine } from '../../components/json-line.ts';
import { type ExpirationEdit, editBody } from './expirationEdit.ts';

export function bulkPath(collection: string): string {
  return `/api/collections/${encodeURIComponent(collection)}/expirations`;
}

/** The body of the bulk call; with `most`, only so many `_id`s, and how many more there are. */
export function bulkBody(edit: ExpirationEdit, ids: readonly string[], most = ids.length): string {
  const named = ids.slice(0, most).map(id => JSON.stringify(id));
  const more = ids.length - named.length;
  const rest = jsonLine(editBody(edit)).slice(1, -1);
  return `{"ids": [${named.join(', ')}${more > 0 ? `, …${more} more` : ''}], ${rest}}`;
}
