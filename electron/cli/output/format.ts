import type { z } from 'zod';
import type { storedDefinition } from '../../../shared/contract/ttl-indexes.ts';
import { durationText } from '../../../shared/model/duration.ts';
import {
  formatBytes,
  formatCount,
  formatInstantInFull,
  formatRelative,
} from '../../../shared/model/format.ts';
import {
  expireAfterOf,
  type OnExpire,
  type Schedule,
  type TtlSource,
} from '../../../shared/model/ttl-index.ts';

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

type Definition = z.infer<typeof storedDefinition>;

/** What defines an index, part by part; what follows the store's own is left out. */
function partsInShort({ source, onExpire, schedule, limits, retention }: Definition): Map<string, string> {
  const parts = new Map([
    ['deadline', sourceInShort(source)],
    ['action', actionInShort(onExpire)],
    ['schedule', scheduleInShort(schedule)],
  ]);
  for (const [name, value] of Object.entries(limits)) parts.set(name, String(value));
  if (retention !== null) parts.set('retention', durationText(retention));
  return parts;
}

/** `deadline at + 1h, action delete, schedule exact` */
export function definitionInShort(definition: Definition): string {
  return [...partsInShort(definition)].map(([name, value]) => `${name} ${value}`).join(', ');
}

/** `schedule observe → exact`, of what differs; empty where nothing does. */
export function differencesInShort(before: Definition, after: Definition): string {
  const [was, is] = [partsInShort(before), partsInShort(after)];
  const rows = [...new Set([...was.keys(), ...is.keys()])]
    .filter(name => was.get(name) !== is.get(name))
    .map(name => `${name} ${was.get(name) ?? 'default'} → ${is.get(name) ?? 'default'}`);
  // A patch or an expression is too long for a line, and may differ where the words do not.
  const isSame = rows.length === 0 && JSON.stringify(before) === JSON.stringify(after);
  return rows.length > 0 || isSame ? rows.join(', ') : 'what its action writes';
}
