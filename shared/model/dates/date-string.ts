const DATE_STRING = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Reads a date string [D3]: `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM:SS` with optional fraction and optional `Z` or
 * `±HH:MM`. Without an offset it is UTC, regardless of the machine's zone. Returns epoch ms, with digits beyond
 * milliseconds cut off; null if the text is not a date.
 */
export function parseDateString(text: string): number | null {
  const match = DATE_STRING.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '', minute = '', second = '', fraction = '', zone = ''] = match;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  // An absent part is 0.
  const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (mi > 59 || s > 59) return null;
  const offset = offsetMinutes(zone);
  if (offset === null) return null;
  const date = new Date(0);
  date.setUTCFullYear(y, mo - 1, d);
  date.setUTCHours(h, mi, s, milliseconds);
  // Date converts 30 February, and hour 24, into another day: such a date is refused.
  if (date.getUTCMonth() !== mo - 1 || date.getUTCDate() !== d) return null;
  return date.getTime() - offset * 60_000;
}

/** `zone` is `±HH:MM`, `Z` or empty. Returns null for an offset of a day or more. */
function offsetMinutes(zone: string): number | null {
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
