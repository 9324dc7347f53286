import { stringifyJson } from '../../../../shared/model/json/json.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';

const LONGEST = 200;

/** A value in one line of a table: text bare, everything else as JSON, long ones cut. */
export function cellText(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : stringifyJson(value);
  const line = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return visibleText(line.replaceAll(/\s+/g, ' '));
}

/** Wider than any letter of the table's fonts on average of a word, in pixels. */
const WIDEST_LETTER = 8;
const PADDING = 16;
const PLAIN = /^[ -~]*$/;

/** Whether a text needs no cutting off in a column of this width, in pixels. Of other scripts nothing is sure. */
export function surelyFits(text: string, width: number): boolean {
  return text.length * WIDEST_LETTER + PADDING <= width && PLAIN.test(text);
}
