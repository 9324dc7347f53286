import type { JsonObject, JsonValue } from '../../../../shared/model/json/json.ts';
import { stringifyJson } from '../../../../shared/model/json/json.ts';

/** Types of values with which keys of Redis and etcd are exported. */
const TYPES = new Set(['key', 'string', 'hash', 'list', 'set', 'zset', 'stream']);
/** Members of an exported key. */
const MEMBERS = new Set(['type', 'value', 'modRevision', 'version', 'lease']);

/**
 * Returns the value of a document in the form in which keys are exported: `{"type": …, "value": …}`. Any other document
 * is a text: its JSON.
 */
export function importedValue(document: JsonObject): { type: string; value: JsonValue } {
  const { type, value } = document;
  const isKey = typeof type === 'string' && TYPES.has(type) && value !== undefined;
  if (isKey && Object.keys(document).every(name => MEMBERS.has(name))) return { type, value };
  return { type: 'string', value: stringifyJson(document) };
}
