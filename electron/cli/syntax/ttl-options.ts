import type { z } from 'zod';
import { jsonObject } from '../../../shared/contract/schemas/common-schemas.ts';
import { parseDuration } from '../../../shared/model/duration.ts';
import { parseJson } from '../../../shared/model/json/json.ts';
import type { Limits, OnExpire, Schedule, TtlSource } from '../../../shared/model/ttl-index.ts';
import type { Option } from './command-syntax.ts';
import type { ParsedArguments } from './parsed-arguments.ts';

/** Options for the source of the deadline: reference time and duration, or expression [D1, D2, D7, D8]. */
export const SOURCE_OPTIONS: Readonly<Record<string, Option>> = {
  field: { value: 'PATH', help: 'field with the reference time; a.b is the field b of the object a' },
  unit: { value: 'seconds|milliseconds', help: 'unit of numbers in that field (default: seconds)' },
  format: {
    value: 'PATTERN',
    help: 'date format of text in that field, such as yyyy.MM.dd, instead of ISO 8601 (iso); repeat it for several, tried in order',
    many: true,
  },
  zone: {
    value: 'ZONE',
    help: 'time zone of dates without an offset, such as Europe/Berlin or +02:00; only with --format (default: UTC)',
  },
  'expire-after': {
    value: 'DURATION',
    help: 'time from the reference time to the deadline: 30d, 1h 30m, or seconds; 0 = no delay',
  },
  'expire-after-field': {
    value: 'PATH',
    help: 'field with the TTL of each document in seconds, instead of --expire-after',
  },
  'last-modified': { help: 'use the last write as the reference time, instead of a field' },
  expression: {
    value: 'CEL',
    help: 'CEL expression over doc and updatedAt that returns the deadline, instead of a field',
  },
};

/** Options for the action, its schedule, its limits and the retention [A1 to A4, R1, R3, X4]. */
export const EFFECT_OPTIONS: Readonly<Record<string, Option>> = {
  action: {
    value: 'ACTION',
    help: 'delete, patch:JSON, replace:CEL or move:COLLECTION (default of a new index: delete)',
  },
  schedule: {
    value: 'SCHEDULE',
    help: "exact, every:5s, cron:'0 * * * *', or observe, which only counts (default of a new index: exact)",
  },
  'time-zone': { value: 'ZONE', help: 'time zone of a cron schedule, such as Europe/Berlin (default: UTC)' },
  rate: {
    value: 'N',
    help: 'largest number of documents per second; 0 = unlimited; default = the store’s setting',
  },
  'batch-ms': {
    value: 'MS',
    help: 'longest duration of one batch, ms; default = the store’s setting',
  },
  'batch-size': {
    value: 'N',
    help: 'largest number of documents per batch; 0 = unlimited; default = the store’s setting',
  },
  retention: {
    value: 'DURATION',
    help: 'time during which expired documents can be restored; 0 = none; default = the store’s setting',
  },
};

export function hasSource(args: ParsedArguments): boolean {
  return Object.keys(SOURCE_OPTIONS).some(name => args.has(name));
}

export function sourceOf(args: ParsedArguments): TtlSource {
  const kinds = ['field', 'last-modified', 'expression'].filter(name => args.has(name));
  if (kinds.length !== 1)
    throw args.wrong('Give exactly one of --field PATH, --last-modified and --expression CEL.');
  const expression = args.text('expression');
  const expireAfter = args.seconds('expire-after');
  const own = args.text('expire-after-field');
  if (expression !== undefined) {
    if (expireAfter !== undefined || own !== undefined)
      throw args.wrong(
        'An expression returns the deadline itself; add the duration inside it: + duration("1h").',
      );
    return { kind: 'expression', expression };
  }
  const field = args.text('field');
  if (field === undefined) {
    if (expireAfter === undefined || own !== undefined)
      throw args.wrong('--last-modified needs --expire-after DURATION.');
    return { kind: 'lastModified', expireAfter };
  }
  const unit = args.oneOf('unit', ['seconds', 'milliseconds']) ?? 'seconds';
  const formats = args.texts('format');
  const zone = args.text('zone');
  if (zone !== undefined && formats.length === 0)
    throw args.wrong('--zone needs --format PATTERN; --format iso for ISO 8601 in another zone.');
  const reading = {
    field,
    unit,
    ...(formats.length > 0 && { formats: [...formats] }),
    ...(zone !== undefined && { zone }),
  };
  if ((expireAfter === undefined) === (own === undefined))
    throw args.wrong('--field needs either --expire-after DURATION or --expire-after-field PATH.');
  return own === undefined
    ? { kind: 'field', ...reading, expireAfter: expireAfter ?? 0 }
    : { kind: 'field', ...reading, expireAfterField: own };
}

export function actionOf(args: ParsedArguments): OnExpire | undefined {
  const text = args.text('action');
  if (text === undefined) return undefined;
  const [kind, argument] = splitOnce(text);
  if (kind === 'delete' && argument === '') return { action: 'delete' };
  if (kind === 'replace' && argument !== '') return { action: 'replace', expression: argument };
  if (kind === 'move' && argument !== '') return { action: 'move', to: argument };
  if (kind === 'patch' && argument !== '') return { action: 'patch', patch: patchOf(args, argument) };
  throw args.wrong(`--action must be delete, patch:JSON, replace:CEL or move:COLLECTION, not “${text}”.`);
}

function patchOf(args: ParsedArguments, text: string): z.infer<typeof jsonObject> {
  try {
    return jsonObject.parse(parseJson(text));
  } catch {
    throw args.wrong(`--action patch: must be followed by a JSON object, not “${text}”.`);
  }
}

export function scheduleOf(args: ParsedArguments): Schedule | undefined {
  const text = args.text('schedule');
  if (text === undefined) {
    if (args.has('time-zone')) throw args.wrong('--time-zone needs --schedule cron:…');
    return undefined;
  }
  const [kind, argument] = splitOnce(text);
  if (kind === 'exact' && argument === '') return { mode: 'exact' };
  if (kind === 'observe' && argument === '') return { mode: 'observe' };
  if (kind === 'cron' && argument !== '')
    return { mode: 'cron', cron: argument, timeZone: args.text('time-zone') ?? 'UTC' };
  if (kind === 'every') {
    const read = parseDuration(argument);
    if ('problem' in read) throw args.wrong(`--schedule every: ${read.problem}`);
    return { mode: 'every', everyMs: Math.round(read.seconds * 1000) };
  }
  throw args.wrong(`--schedule must be exact, every:5s, cron:'0 * * * *' or observe, not “${text}”.`);
}

/** Returns the given limits; null: the store's setting. */
export function limitChangesOf(args: ParsedArguments): { [Name in keyof Limits]?: number | null } {
  const removalsPerSecond = numberOrDefault(args, 'rate');
  const batchMs = numberOrDefault(args, 'batch-ms');
  const batchSize = numberOrDefault(args, 'batch-size');
  return {
    ...(removalsPerSecond === undefined ? {} : { removalsPerSecond }),
    ...(batchMs === undefined ? {} : { batchMs }),
    ...(batchSize === undefined ? {} : { batchSize }),
  };
}

/** Returns the limits of a new index, without those that follow the store's setting. */
export function limitsOf(args: ParsedArguments): Limits {
  const { removalsPerSecond, batchMs, batchSize } = limitChangesOf(args);
  return {
    ...(typeof removalsPerSecond === 'number' ? { removalsPerSecond } : {}),
    ...(typeof batchMs === 'number' ? { batchMs } : {}),
    ...(typeof batchSize === 'number' ? { batchSize } : {}),
  };
}

/** Returns seconds; null: the store's setting. */
export function retentionOf(args: ParsedArguments): number | null | undefined {
  return args.text('retention') === 'default' ? null : args.seconds('retention');
}

function numberOrDefault(args: ParsedArguments, option: string): number | null | undefined {
  return args.text(option) === 'default' ? null : args.number(option);
}

/** Splits at the first colon: `every:5s` is `every` and `5s`; without a colon the argument is empty. */
function splitOnce(text: string): [kind: string, argument: string] {
  const colon = text.indexOf(':');
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
}
