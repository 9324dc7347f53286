import { formatExactDuration } from './duration.ts';
import {
  expireAfterOf,
  formatReading,
  type OnExpire,
  type Schedule,
  type TtlIndexDefinition,
  type TtlSource,
} from './ttl-index.ts';

/** Returns `expires + 30d`, `last write + 1h`, or the expression; with formats how they are read. */
export function formatDeadline(source: TtlSource): string {
  if (source.kind === 'expression') return source.expression;
  const reading = formatReading(source);
  const field = source.kind === 'lastModified' ? 'last write' : source.field;
  const from = reading === null ? field : `${field} (${reading})`;
  if (source.kind === 'field' && source.expireAfterField !== undefined)
    return `${from} + ${source.expireAfterField}`;
  return `${from} + ${formatExactDuration(expireAfterOf(source))}`;
}

export function formatAction(onExpire: OnExpire): string {
  return onExpire.action === 'move' ? `move to ${onExpire.to}` : onExpire.action;
}

export function formatSchedule(schedule: Schedule): string {
  switch (schedule.mode) {
    case 'every':
      return `every ${formatExactDuration(schedule.everyMs / 1000)}`;
    case 'cron':
      return `cron ${schedule.cron} (${schedule.timeZone})`;
    default:
      return schedule.mode;
  }
}

/** A definition without its name. */
type Definition = Omit<TtlIndexDefinition, 'name'>;

/** Returns the parts of a definition by name, without those that follow the store's settings. */
function definitionParts({ source, onExpire, schedule, limits, retention }: Definition): Map<string, string> {
  const parts = new Map([
    ['deadline', formatDeadline(source)],
    ['action', formatAction(onExpire)],
    ['schedule', formatSchedule(schedule)],
  ]);
  for (const [name, value] of Object.entries(limits)) parts.set(name, String(value));
  if (retention !== null) parts.set('retention', formatExactDuration(retention));
  return parts;
}

/** Returns `deadline at + 1h, action delete, schedule exact`. */
export function formatDefinition(definition: Definition): string {
  return [...definitionParts(definition)].map(([name, value]) => `${name} ${value}`).join(', ');
}

/** Returns the differences, such as `schedule observe → exact`; an empty string if there are none. */
export function formatDifferences(before: Definition, after: Definition): string {
  const [was, is] = [definitionParts(before), definitionParts(after)];
  const rows = [...new Set([...was.keys(), ...is.keys()])]
    .filter(name => was.get(name) !== is.get(name))
    .map(name => `${name} ${was.get(name) ?? 'default'} → ${is.get(name) ?? 'default'}`);
  // The text of an action leaves out its patch or expression, which may be the only difference.
  const isSame = rows.length === 0 && JSON.stringify(before) === JSON.stringify(after);
  return rows.length > 0 || isSame ? rows.join(', ') : 'different patch or expression of the action';
}
