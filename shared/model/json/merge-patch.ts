import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/**
 * Applies a JSON Merge Patch, RFC 7396 [A2]: null removes a field, an object is merged into an object, anything else
 * replaces. The arguments are not changed; the result may share parts with both.
 */
export function applyMergePatch(document: JsonObject, patch: JsonObject): JsonObject {
  // A Map, because an assignment to a field named `__proto__` would set the prototype.
  const fields = new Map(Object.entries(document));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) fields.delete(name);
    else fields.set(name, patched(fields.get(name), value));
  }
  return Object.fromEntries(fields);
}

function patched(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  return applyMergePatch(isJsonObject(target) ? target : {}, patch);
}
