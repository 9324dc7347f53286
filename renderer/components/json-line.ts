import { stringifyJson } from '../../shared/model/json/json.ts';

/** Formats JSON on one line, with spaces after colons and commas. */
export function jsonLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return stringifyJson(value);
  const fields = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${jsonLine(inner)}`);
  return `{${fields.join(', ')}}`;
}
