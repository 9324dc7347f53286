import { stringifyJson } from '../../../shared/model/json.ts';

const LONGEST = 200;

/** A value in one line of a table: text bare, everything else as JSON, long ones cut. */
export function cellText(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : stringifyJson(value);
  const line = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return line.replaceAll(/\s+/g, ' ');
}
