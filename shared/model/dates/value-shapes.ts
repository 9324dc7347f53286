/**
 * Patterns that a value could be written in, by its shape alone: where digits, letters and separators are. Whether the
 * numbers are a date is decided by reading the value with the pattern.
 */

/** Returns a form that is found only at the start of a text. */
const atStart = (form: RegExp) => new RegExp(`^(?:${form.source})`, form.flags);
/** Returns a form that is found only as the whole text. */
const whole = (form: RegExp) => new RegExp(`^(?:${form.source})$`, form.flags);

const DATE_FORMS: readonly [RegExp, readonly string[]][] = [
  [/\d{4}([-./])\d\d\1\d\d(?!\d)/, ['yyyy$1MM$1dd']],
  [/\d{4}([-./])\d\d?\1\d\d?(?!\d)/, ['yyyy$1M$1d']],
  [/\d{8}(?!\d)|\d{8}(?=\d{6}(?:\d{3})?$)/, ['yyyyMMdd']],
  [/\d\d([-./ ])[A-Za-z]{3}\1\d{4}(?!\d)/, ['dd$1MMM$1yyyy']],
  [/\d([-./ ])[A-Za-z]{3}\1\d{4}(?!\d)/, ['d$1MMM$1yyyy']],
  [/\d\d?([-./ ])[A-Za-z]{4,9}\1\d{4}(?!\d)/, ['d$1MMMM$1yyyy']],
  [/[A-Za-z]{3} \d\d?, ?\d{4}(?!\d)/, ['MMM d, yyyy']],
  [/[A-Za-z]{4,9} \d\d?, ?\d{4}(?!\d)/, ['MMMM d, yyyy']],
  [/\d\d([-./])\d\d\1\d{4}(?!\d)/, ['dd$1MM$1yyyy', 'MM$1dd$1yyyy']],
  [/\d\d?([-./])\d\d?\1\d{4}(?!\d)/, ['d$1M$1yyyy', 'M$1d$1yyyy']],
  [/\d\d([-./])\d\d\1\d\d(?!\d)/, ['dd$1MM$1yy', 'MM$1dd$1yy', 'yy$1MM$1dd']],
  [/\d\d?([-./ ])[A-Za-z]{3}\1\d\d(?!\d)/, ['d$1MMM$1yy']],
  [/\d{6}(?!\d)/, ['yyMMdd', 'ddMMyy']],
];
/**
 * The shape of a date at the start of a text, and its patterns; `$1` is the separator. Several patterns: the order is
 * unclear.
 */
const DATES = DATE_FORMS.map(([form, patterns]) => ({ shape: atStart(form), patterns }));

const WEEKDAY = atStart(
  /(?:(Mon|Tue|Wed|Thu|Fri|Sat|Sun)|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(,? +)/i,
);
/** `Dec  4 04:47:44 2005`, with a zone before the year or without: the C library and Unix's `date`. */
const YEAR_LAST = whole(/[A-Za-z]{3} +\d\d? \d\d:\d\d:\d\d(\.\d+)?( [A-Z]{2,4})? \d{4}/);

const TIMES: readonly RegExp[] = [
  /(?<h>\d\d?)(?<t>:)(?<m>\d\d)(?:\k<t>(?<s>\d\d)(?:(?<p>[.,])(?<f>\d{1,9}))?)?(?<a> ?[AaPp][Mm])?/,
  /(?<h>\d\d)(?<t>\.)(?<m>\d\d)\k<t>(?<s>\d\d)(?:(?<p>[.,])(?<f>\d{1,9}))?/,
  /(?<h>\d\d)(?<t>)(?<m>\d\d)(?<s>\d\d)(?:(?<p>)(?<f>\d{3}))?(?!\d)/,
].map(atStart);
const BETWEEN = atStart(/[T:_-]|,? +/);
const OFFSET_FORMS: readonly [RegExp, string][] = [
  [/Z|[+-]\d\d:\d\d/, 'XXX'],
  [/[+-]\d{4}/, 'XX'],
  [/[+-]\d\d/, 'X'],
  [/ [+-]\d\d:\d\d/, ' XXX'],
  [/ [+-]\d{4}/, ' XX'],
  [/ (?:UTC|GMT|UT|[ECMP][SD]T)/, ' z'],
  [/(?:)/, ''],
];
const OFFSETS = OFFSET_FORMS.map(([form, pattern]) => ({ form: whole(form), pattern }));

/** Most characters of a date; longer texts are prose. */
const LONGEST = 60;

/**
 * Returns the patterns of a date, or of a date and a time; several if its order is unclear, none if the text is not a
 * date.
 */
export function patternsLike(text: string): readonly string[] {
  if (text.length > LONGEST) return [];
  if (text.startsWith('[') && text.endsWith(']'))
    return patternsLike(text.slice(1, -1)).map(pattern => `[${pattern}]`);
  const [weekday = '', short, after = ''] = WEEKDAY.exec(text) ?? [];
  const prefix =
    weekday === '' ? '' : `${short === undefined ? 'EEEE' : 'EEE'}${after.includes(',') ? ', ' : ' '}`;
  const rest = text.slice(weekday.length);
  const [yearLast, seconds, zone] = YEAR_LAST.exec(rest) ?? [];
  if (yearLast !== undefined) {
    const fraction = seconds === undefined ? '' : `.${'S'.repeat(Math.min(9, seconds.length - 1))}`;
    return [`${prefix}MMM d HH:mm:ss${fraction}${zone === undefined ? '' : ' z'} yyyy`];
  }
  for (const { shape, patterns } of DATES) {
    const [date, separator = ''] = shape.exec(rest) ?? [];
    if (date === undefined) continue;
    const suffix = timeLike(rest.slice(date.length));
    // Another shape may fit the whole text: a date of six digits is also the start of one of eight.
    if (suffix === null) continue;
    return patterns.map(pattern => prefix + pattern.replaceAll('$1', separator) + suffix);
  }
  return [];
}

/** Returns the pattern of the text after a date; empty for no text, null for another text. */
function timeLike(text: string): string | null {
  const [between = ''] = BETWEEN.exec(text) ?? [];
  const time = timePattern(text.slice(between.length));
  if (time === null) return text === '' ? '' : null;
  const joined = between === 'T' ? "'T'" : between.replace(/ +/, ' ');
  return joined + time;
}

/** Returns the pattern of a time of day, with an offset or without: `HH:mm:ss`; null for another text. */
export function timePattern(text: string): string | null {
  for (const shape of TIMES) {
    const match = shape.exec(text);
    if (match === null) continue;
    const { h = '', t = '', s, p = '', f, a } = match.groups ?? {};
    const offset = OFFSETS.find(({ form }) => form.test(text.slice(match[0].length)));
    if (offset === undefined) continue;
    const hours = (a === undefined ? 'H' : 'h').repeat(h.length);
    const seconds = s === undefined ? '' : `${t}ss`;
    const fraction = f === undefined ? '' : `${p}${'S'.repeat(f.length)}`;
    const half = a === undefined ? '' : a.startsWith(' ') ? ' a' : 'a';
    return `${hours}${t}mm${seconds}${fraction}${half}${offset.pattern}`;
  }
  return null;
}
