import { Cron } from 'croner';

/**
 * Times of a crontab line in a time zone [R1], to the second. On a day that has an hour twice, a line with one time of
 * day in it fires once, in the first; on a day that skips that hour, it fires at the end of the gap.
 */

interface CronLine {
  cron: string;
  timeZone: string;
}

/** Two consecutive times of the line. Queries between them need no new search. */
interface Span {
  last: number;
  next: number;
}

interface ReadLine {
  line: Cron;
  span: Span | null;
}

const SECOND_MS = 1_000;
/** Size of the cache of parsed lines. Each line belongs to an index of the store, so there are few. */
const MAX_CACHED_LINES = 1_000;
const lineCache = new Map<string, ReadLine>();

/** Returns the last time at or before `now`, epoch ms; negative infinity if there is none. */
export function lastCronTime(line: CronLine, now: number): number {
  return spanAround(line, now).last;
}

/** Returns the first time at or after `at`, epoch ms; infinity if there is none. */
export function nextCronTime(line: CronLine, at: number): number {
  const { last, next } = spanAround(line, at);
  return last === at ? at : next;
}

/** Returns the error of an invalid line, as a message for a person; null if the line is valid. */
export function cronProblem({ cron, timeZone }: CronLine, now: number): string | null {
  const text = cron.trim();
  if (!text.startsWith('@') && !/\s/.test(text)) {
    return `“${cron}” is not a crontab line. Use five parts: minute, hour, day of month, month and day of week, as in “0 3 * * *”.`;
  }
  let line: Cron;
  try {
    line = new Cron(text, { paused: true });
    line.nextRun(new Date(now));
  } catch (error) {
    return `The crontab line “${cron}” cannot be read: ${withoutPrefix(error)}`;
  }
  if (!isTimeZone(timeZone))
    return `There is no time zone “${timeZone}”. Use a name such as UTC or Europe/Berlin.`;
  const zoned = new Cron(text, { timezone: timeZone, paused: true });
  return zoned.nextRun(new Date(now)) === null ? `The crontab line “${cron}” never occurs.` : null;
}

function spanAround(line: CronLine, at: number): Span {
  const read = readLine(line);
  if (read.span === null || at < read.span.last || at >= read.span.next) read.span = find(read.line, at);
  return read.span;
}

function find(line: Cron, at: number): Span {
  const second = Math.floor(at / SECOND_MS) * SECOND_MS;
  // `previousRuns` excludes the second it is given, and so does `nextRun`.
  const [last] = line.previousRuns(1, new Date(second + SECOND_MS));
  const next = line.nextRun(new Date(second));
  return {
    last: last?.getTime() ?? Number.NEGATIVE_INFINITY,
    next: next?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}

function readLine({ cron, timeZone }: CronLine): ReadLine {
  const key = `${timeZone}\n${cron}`;
  let read = lineCache.get(key);
  if (read === undefined) {
    if (lineCache.size >= MAX_CACHED_LINES) lineCache.clear();
    read = { line: new Cron(cron.trim(), { timezone: timeZone, paused: true }), span: null };
    lineCache.set(key, read);
  }
  return read;
}

function isTimeZone(timeZone: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone });
    return timeZone !== '';
  } catch {
    return false;
  }
}

function withoutPrefix(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^Cron\w+: /, '');
}
