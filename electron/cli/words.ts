import { durationText } from '../../shared/model/duration.ts';
import { formatBytes, formatCount, formatInstantInFull, formatRelative } from '../../shared/model/format.ts';
import { expireAfterOf, type OnExpire, type Schedule, type TtlSource } from '../../shared/model/ttl-index.ts';

/** `Sat 21 Nov 2026 14:32:38 UTC (in 3 h 12 m)`, in the machine's zone. */
export function instantInWords(at: number | null, now: number): string {
  return at === null ? '-' : `${formatInstantInFull(at, 'local')} (${formatRelative(at, now)})`;
}

/** `in 3 h 12 m`, for a column. */
export function relativeInWords(at: number | null, now: number): string {
  return at === null ? '-' : formatRelative(at, now);
}

export function documentsInWords(count: number): string {
  return `${formatCount(count)} document${count === 1 ? '' : 's'}`;
}

export function bytesInWords(bytes: number): string {
  return formatBytes(bytes);
}

/** `expires + 30d`, `last write + 1h`, or the expression. */
export function sourceInShort(source: TtlSource): string {
  if (source.kind === 'expression') return source.expression;
  const from = source.kind === 'lastModified' ? 'last write' : source.field;
  if (source.kind === 'field' && source.expireAfterField !== undefined)
    return `${from} + ${source.expireAfterField}`;
  return `${from} + ${durationText(expireAfterOf(source))}`;
}

export function actionInShort(onExpire: OnExpire): string {
  return onExpire.action === 'move' ? `move to ${onExpire.to}` : onExpire.action;
}

export function scheduleInShort(schedule: Schedule): string {
  switch (schedule.mode) {
    case 'every':
      return `every ${durationText(schedule.everyMs / 1000)}`;
    case 'cron':
      return `cron ${schedule.cron} (${schedule.timeZone})`;
    default:
      return schedule.mode;
  }
}
