import type { JsonObject, JsonValue } from '../../../../../shared/model/json/json.ts';

/** A table cell shows 200 characters; one more signals that the text is longer. */
const CHARACTERS = 201;
const ELEMENTS = 20;
const MEMBERS = 100;
const DEPTH = 3;

/** Returns a document with all its columns, each cut to what a row shows. */
export function clippedDocument(document: JsonObject): JsonObject {
  return clippedObject(document, 0);
}

function clippedObject(object: JsonObject, depth: number): JsonObject {
  if (depth === DEPTH) return {};
  const members = Object.entries(object).slice(0, MEMBERS);
  return Object.fromEntries(members.map(([name, value]) => [name, clipped(value, depth + 1)]));
}

function clipped(value: JsonValue, depth: number): JsonValue {
  if (typeof value === 'string') return value.slice(0, CHARACTERS);
  if (Array.isArray(value)) {
    return depth === DEPTH ? [] : value.slice(0, ELEMENTS).map(element => clipped(element, depth + 1));
  }
  return typeof value === 'object' && value !== null ? clippedObject(value, depth) : value;
}
