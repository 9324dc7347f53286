import type { z } from 'zod';
import { jsonObject } from '../../../shared/contract/base.ts';
import { parseDuration } from '../../../shared/model/duration.ts';
import { parseJson } from '../../../shared/model/json/json.ts';
import type { Limits, OnExpire, Schedule, TtlSource } from '../../../shared/model/ttl-index.ts';
import type { Option } from '../session/command.ts';
import type { Given } from './parsed-arguments.ts';

/** Where the reference time comes from, and what is added to it [D1, D2, D7, D8]. */
export const SOURCE_OPTIONS: Readonly<Record<string, Option>> = {
  field: { value: 'PATH', help: 'the field that holds the time; dots reach into objects' },
  unit: { value: 'seconds|milliseconds', help: 'of numbers in it (default: seconds)' },
  'expire-after': {
    value: 'DURATION',
    help: 'how long after it, as 30d, 1h 30m, or seconds; 0: at the time itself',
  },
  'expire-after-field': {
    value: 'PATH',
    help: 'the field that holds the document’s own TTL in seconds, instead',
  },
  'last-modified': { help: 'so long after the last write, instead of a field' },
  expression: { value: 'CEL', help: 'what this gives over doc and updatedAt, instead of a field' },
};

/** What happens at the deadline, when, and how fast [A1 to A4, R1, R3, X4]. */
export const EFFECT_OPTIONS: Readonly<Record<string, Option>> = {
  action: {
    value: 'ACTION',
    help: 'delete, patch:JSON, replace:CEL or move:COLLECTION (a new one: delete)',
  },
  schedule: {
    value: 'SCHEDULE',
    help: "exact, every:5s, cron:'0 * * * *' or observe, which only counts (a new one: exact)",
  },
  'time-zone': { value: 'ZONE', help: 'of a cron schedule, as Europe/Berlin (default: UTC)' },
  rate: { value: 'N', help: 'most documents a second; 0: no limit; default: the store’s' },
  'batch-ms': { value: 'MS', help: 'how long one batch may hold the writer; default: the store’s' },
  'batch-size': { value: 'N', help: 'most documents in one batch; 0: no limit; default: the store’s' },
  retention: {
    value: 'DURATION',
    help: 'how long what it removes can be restored; 0: not; default: the store’s',
  },
};

export function hasSource(given: Given): boolean {
  return Object.keys(SOURCE_OPTIONS).some(name => given.has(name));
}

export function sourceOf(given: Given): TtlSource {
  const kinds = ['field', 'last-modified', 'expression'].filter(name => given.has(name));
  if (kinds.length !== 1)
    throw given.wrong(
      'One of --field PATH, --last-modified and --expression CEL says where the time comes from.',
    );
  const expression = given.text('expression');
  const expireAfter = given.seconds('expire-after');
  const own = given.text('expire-after-field');
  if (expression !== undefined) {
    if (expireAfter !== undefined || own !== undefined)
      throw given.wrong(
        'An expression gives the deadline itself; add the time inside it, as + duration("1h").',
      );
    return { kind: 'expression', expression };
  }
  const field = given.text('field');
  if (field === undefined) {
    if (expireAfter === undefined || own !== undefined)
      throw given.wrong('--last-modified needs --expire-after DURATION.');
    return { kind: 'lastModified', expireAfter };
  }
  const unit = given.oneOf('unit', ['seconds', 'milliseconds']) ?? 'seconds';
  if ((expireAfter === undefined) === (own === undefined))
    throw given.wrong('--field needs either --expire-after DURATION or --expire-after-field PATH.');
  return own === undefined
    ? { kind: 'field', field, unit, expireAfter: expireAfter ?? 0 }
    : { kind: 'field', field, unit, expireAfterField: own };
}

export function actionOf(given: Given): OnExpire | undefined {
  const text = given.text('action');
  if (text === undefined) return undefined;
  const [kind, argument] = splitOnce(text);
  if (kind === 'delete' && argument === '') return { action: 'delete' };
  if (kind === 'replace' && argument !== '') return { action: 'replace', expression: argument };
  if (kind === 'move' && argument !== '') return { action: 'move', to: argument };
  if (kind === 'patch' && argument !== '') return { action: 'patch', patch: patchOf(given, argument) };
  throw given.wrong(`--action is delete, patch:JSON, replace:CEL or move:COLLECTION; “${text}” is not.`);
}

function patchOf(given: Given, text: string): z.infer<typeof jsonObject> {
  try {
    return jsonObject.parse(parseJson(text));
  } catch {
    throw given.wrong(`--action patch: is followed by a JSON object; “${text}” is none.`);
  }
}

export function scheduleOf(given: Given): Schedule | undefined {
  const text = given.text('schedule');
  if (text === undefined) {
    if (given.has('time-zone')) throw given.wrong('--time-zone belongs to --schedule cron:…');
    return undefined;
  }
  const [kind, argument] = splitOnce(text);
  if (kind === 'exact' && argument === '') return { mode: 'exact' };
  if (kind === 'observe' && argument === '') return { mode: 'observe' };
  if (kind === 'cron' && argument !== '')
    return { mode: 'cron', cron: argument, timeZone: given.text('time-zone') ?? 'UTC' };
  if (kind === 'every') {
    const read = parseDuration(argument);
    if ('problem' in read) throw given.wrong(`--schedule every: ${read.problem}`);
    return { mode: 'every', everyMs: Math.round(read.seconds * 1000) };
  }
  throw given.wrong(`--schedule is exact, every:5s, cron:'0 * * * *' or observe; “${text}” is not.`);
}

/** Of each limit: a number, null for the store's default, absent where nothing was said. */
export function limitChangesOf(given: Given): { [Name in keyof Limits]?: number | null } {
  const removalsPerSecond = numberOrDefault(given, 'rate');
  const batchMs = numberOrDefault(given, 'batch-ms');
  const batchSize = numberOrDefault(given, 'batch-size');
  return {
    ...(removalsPerSecond === undefined ? {} : { removalsPerSecond }),
    ...(batchMs === undefined ? {} : { batchMs }),
    ...(batchSize === undefined ? {} : { batchSize }),
  };
}

/** The same for an index that is made: what is the default is left out. */
export function limitsOf(given: Given): Limits {
  const { removalsPerSecond, batchMs, batchSize } = limitChangesOf(given);
  return {
    ...(typeof removalsPerSecond === 'number' ? { removalsPerSecond } : {}),
    ...(typeof batchMs === 'number' ? { batchMs } : {}),
    ...(typeof batchSize === 'number' ? { batchSize } : {}),
  };
}

/** Seconds; null: the store's default. */
export function retentionOf(given: Given): number | null | undefined {
  return given.text('retention') === 'default' ? null : given.seconds('retention');
}

function numberOrDefault(given: Given, option: string): number | null | undefined {
  return given.text(option) === 'default' ? null : given.number(option);
}

/** `every:5s` is `every` and `5s`; what has no colon has no argument. */
function splitOnce(text: string): [kind: string, argument: string] {
  const colon = text.indexOf(':');
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
}
