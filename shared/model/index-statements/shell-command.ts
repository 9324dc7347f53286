import { formatExactDuration, parseDuration } from '../duration.ts';
import { stringifyJson } from '../json/json.ts';
import { plainNumber } from '../json/plain-number.ts';
import type { OnExpire, Schedule, TtlIndexDefinition, TtlSource } from '../ttl-index.ts';

/** Returns the `sandglass ttl create …` command that creates an index, for a POSIX shell [X5]. */
export function shellLine(collection: string, definition: TtlIndexDefinition): string {
  return ['sandglass', ...commandArguments(collection, definition)].map(quoted).join(' ');
}

/** Returns the arguments of the command, not quoted. */
function commandArguments(collection: string, definition: TtlIndexDefinition): string[] {
  const { name, source, onExpire, schedule, limits, retention } = definition;
  const options = [
    ...option('name', name),
    ...sourceArguments(source),
    ...actionArguments(onExpire),
    ...scheduleArguments(schedule),
    ...numberOption('rate', limits.removalsPerSecond),
    ...numberOption('batch-ms', limits.batchMs),
    ...numberOption('batch-size', limits.batchSize),
    ...(retention === null ? [] : option('retention', formatSeconds(retention))),
  ];
  // Two dashes come first: without them, a collection that begins with a dash would be read as an option.
  return collection.startsWith('-')
    ? ['ttl', 'create', ...options, '--', collection]
    : ['ttl', 'create', collection, ...options];
}

function sourceArguments(source: TtlSource): string[] {
  switch (source.kind) {
    case 'field':
      return [
        ...option('field', source.field),
        ...(source.unit === 'seconds' ? [] : option('unit', source.unit)),
        ...(source.formats ?? []).flatMap(format => option('format', format)),
        ...(source.zone === undefined ? [] : option('zone', source.zone)),
        ...(source.expireAfterField === undefined
          ? option('expire-after', formatSeconds(source.expireAfter))
          : option('expire-after-field', source.expireAfterField)),
      ];
    case 'lastModified':
      return ['--last-modified', ...option('expire-after', formatSeconds(source.expireAfter))];
    case 'expression':
      return option('expression', source.expression);
  }
}

function actionArguments(onExpire: OnExpire): string[] {
  switch (onExpire.action) {
    case 'delete':
      return [];
    case 'patch':
      return option('action', `patch:${stringifyJson(onExpire.patch)}`);
    case 'replace':
      return option('action', `replace:${onExpire.expression}`);
    case 'move':
      return option('action', `move:${onExpire.to}`);
  }
}

function scheduleArguments(schedule: Schedule): string[] {
  switch (schedule.mode) {
    case 'exact':
      return [];
    case 'observe':
      return option('schedule', 'observe');
    case 'every':
      return option('schedule', `every:${formatSeconds(schedule.everyMs / 1000)}`);
    case 'cron':
      return [
        ...option('schedule', `cron:${schedule.cron}`),
        ...(schedule.timeZone === 'UTC' ? [] : option('time-zone', schedule.timeZone)),
      ];
  }
}

function numberOption(name: string, value: number | undefined): string[] {
  return value === undefined ? [] : option(name, String(value));
}

/** A value that begins with a dash is joined to its option, because it would be read as the next option. */
function option(name: string, value: string): string[] {
  return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];
}

/** Returns `30d` if that is exact, otherwise seconds such as `0.0001s`, without an exponent. */
function formatSeconds(seconds: number): string {
  const text = formatExactDuration(seconds).replaceAll(' ', '');
  const read = parseDuration(text);
  if ('seconds' in read && read.seconds === seconds) return text;
  return `${plainNumber(seconds)}s`;
}

/** Returns a word quoted for a POSIX shell. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_/:=.,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
