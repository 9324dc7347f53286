import { parsePattern } from '../../../../shared/model/dates/date-pattern.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const pad = (n: number, digits: number) => String(n).padStart(digits, '0');

/** Writes an instant by a pattern, with the wall clock of an offset in minutes: the inverse of reading it. */
export function writeDate(pattern: string, at: number, offset = 0): string {
  const parsed = parsePattern(pattern);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const local = new Date(at + offset * 60_000);
  const hour = local.getUTCHours();
  return parsed.parts
    .map(part => {
      if (part.kind === 'literal') return part.text;
      if (part.kind === 'spaces') return ' ';
      const { symbol, count } = part;
      switch (symbol) {
        case 'y':
        case 'u':
          return count === 2 ? pad(local.getUTCFullYear() % 100, 2) : pad(local.getUTCFullYear(), 4);
        case 'M':
        case 'L': {
          const name = MONTHS[local.getUTCMonth()] ?? '';
          return count > 2 ? name.slice(0, count === 3 ? 3 : undefined) : pad(local.getUTCMonth() + 1, count);
        }
        case 'd':
          return pad(local.getUTCDate(), count);
        case 'E':
          return (WEEKDAYS[local.getUTCDay()] ?? '').slice(0, count < 4 ? 3 : undefined);
        case 'a':
          return hour < 12 ? 'AM' : 'PM';
        case 'H':
          return pad(hour, count);
        case 'h':
          return pad(hour % 12 === 0 ? 12 : hour % 12, count);
        case 'm':
          return pad(local.getUTCMinutes(), count);
        case 's':
          return pad(local.getUTCSeconds(), count);
        case 'S':
          return pad(local.getUTCMilliseconds(), 3).padEnd(9, '0').slice(0, count);
        default:
          return writeOffset(symbol, count, offset);
      }
    })
    .join('');
}

function writeOffset(symbol: string, count: number, offset: number): string {
  const reads = symbol === 'X' || (symbol === 'Z' && count === 5);
  if (symbol === 'z' || (reads && offset === 0)) return symbol === 'z' ? 'UTC' : 'Z';
  const [hours, minutes] = [pad(Math.floor(Math.abs(offset) / 60), 2), pad(Math.abs(offset) % 60, 2)];
  const sign = offset < 0 ? '-' : '+';
  if ((symbol === 'X' || symbol === 'x') && count === 1)
    return sign + hours + (minutes === '00' ? '' : minutes);
  const colon = count === 3 && symbol !== 'Z' ? ':' : count === 5 ? ':' : '';
  return `${sign}${hours}${colon}${minutes}`;
}
