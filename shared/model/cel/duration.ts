const MS: Readonly<Record<string, number>> = {
  w: 7 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};

// A number is written in one way only, or a long text that is no duration would be tried in every way.
const WHOLE = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|w|d|h|m|s))+|0)$/;
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|w|d|h|m|s)/g;

/**
 * Reads a duration as CEL writes it, `1h30m`, `-1.5h`, `250ms`, with days (`30d`) and weeks (`2w`) besides [D8]. Gives
 * milliseconds, or null when the text is none.
 */
export function parseCelDuration(text: string): number | null {
  const match = WHOLE.exec(text);
  if (match === null) return null;
  const [, sign, parts = ''] = match;
  let ms = 0;
  for (const [, amount, unit = ''] of parts.matchAll(PART)) ms += Number(amount) * (MS[unit] ?? Number.NaN);
  return sign === '-' ? -ms : ms;
}
