import { stringifyJson } from '../../../../shared/model/json/json.ts';
import { UNIT_BOUND } from '../../../../shared/model/reference-time.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';

const LONGEST = 200;

/** Returns a value as one line: strings without quotes, other values as JSON, long ones cut off. */
export function formatCell(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : stringifyJson(value);
  const line = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return visibleText(line.replaceAll(/\s+/g, ' '));
}

/** 2000 and 2100, epoch ms: other numbers are hardly dates. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/** Returns the instant that a number may be, and the unit that this supposes; null for other values. */
export function epochOf(value: unknown): { at: number; unit: 'seconds' | 'milliseconds' } | null {
  if (typeof value !== 'number') return null;
  const unit = value < UNIT_BOUND ? 'seconds' : 'milliseconds';
  const at = unit === 'seconds' ? value * 1_000 : value;
  return at >= EARLIEST && at < LATEST ? { at, unit } : null;
}

/** Average width of a letter, px: no word of the table's fonts is wider. */
const WIDEST_LETTER = 8;
const PADDING = 16;
const PLAIN = /^[ -~]*$/;

/** Whether a text certainly fits a column of this width, px. False for non-ASCII text. */
export function certainlyFits(text: string, width: number): boolean {
  return text.length * WIDEST_LETTER + PADDING <= width && PLAIN.test(text);
}
