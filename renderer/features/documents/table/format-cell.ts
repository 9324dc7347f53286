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

/** The years 2000 and 2100, epoch ms: numbers outside are unlikely to be dates. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/** Returns the instant that a number may represent, and the unit assumed for it; null for other values. */
export function epochOf(value: unknown): { at: number; unit: 'seconds' | 'milliseconds' } | null {
  if (typeof value !== 'number') return null;
  const unit = value < UNIT_BOUND ? 'seconds' : 'milliseconds';
  const at = unit === 'seconds' ? value * 1_000 : value;
  return at >= EARLIEST && at < LATEST ? { at, unit } : null;
}

/** Upper bound of the average width of a letter in the table's fonts, px. */
const WIDEST_LETTER = 8;
const PADDING = 16;
const PLAIN = /^[ -~]*$/;

/** Returns whether a text certainly fits into a column of this width, px. False for non-ASCII text. */
export function certainlyFits(text: string, width: number): boolean {
  return text.length * WIDEST_LETTER + PADDING <= width && PLAIN.test(text);
}
