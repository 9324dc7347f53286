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

// Only one form of number is accepted: otherwise matching a long text that is not a duration would backtrack.
const WHOLE = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|w|d|h|m|s))+|0)$/;
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|w|d|h|m|s)/g;

/**
 * Parses a CEL duration, `1h30m`, `-1.5h`, `250ms`, also with days (`30d`) and weeks (`2w`) [D8]. Returns ms, or null
 * if the text is not a duration.
 */
export function parseCelDuration(text: string): number | null {
  const match = WHOLE.exec(text);
  if (match === null) return null;
  const [, sign, parts = ''] = match;
  let ms = 0;
  for (const [, amount, unit = ''] of parts.matchAll(PART)) ms += Number(amount) * (MS[unit] ?? Number.NaN);
  return sign === '-' ? -ms : ms;
}
