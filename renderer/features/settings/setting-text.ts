import { t } from '@lingui/core/macro';
import { SETTINGS, type Settings } from '../../../shared/contract/settings.ts';
import { formatExactDuration } from '../../../shared/model/duration.ts';
import { formatBytes, formatCount, formatLongDuration } from '../../i18n/format.ts';
import { parseTypedDuration } from '../../i18n/typed-duration.ts';

/** Format in which a setting is typed and parsed. */
export type Kind = 'count' | 'ms' | 'seconds' | 'days' | 'bytes' | 'share';

export type Typed = { value: number } | { problem: string };

const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 1024,
  MIB: 1024 ** 2,
  GIB: 1024 ** 3,
  TIB: 1024 ** 4,
};
/** Largest first: values are formatted in the largest fitting unit. */
const WRITTEN = ['TiB', 'TB', 'GiB', 'GB', 'MiB', 'MB', 'KiB', 'kB'] as const;

/**
 * Formats a setting as typed text, without loss and with English numbers in every language: parsing the text gives the
 * same value.
 */
export function formatSetting(value: number, kind: Kind): string {
  switch (kind) {
    case 'count':
      return Number.isInteger(value) ? formatCount(value) : String(value);
    case 'ms':
      return `${value} ms`;
    case 'seconds':
      return value === 0 ? '0' : formatExactDuration(value);
    case 'days':
      return `${value} d`;
    case 'bytes':
      return formatSettingBytes(value);
    case 'share':
      return `${Number((value * 100).toPrecision(12))} %`;
  }
}

/** Formats bytes in the largest unit in which two decimals are exact; otherwise in bytes. */
function formatSettingBytes(value: number): string {
  for (const unit of WRITTEN) {
    const size = UNITS[unit.toUpperCase()] ?? 1;
    const short = Number((value / size).toFixed(2));
    if (short >= 1 && short * size === value) return `${short} ${unit}`;
  }
  return `${value} B`;
}

/** Formats a setting within a sentence; `means`: the meaning of 0. */
export function formatSettingInSentence(value: number, kind: Kind, means?: string): string {
  if (value === 0 && means !== undefined) return means;
  if (kind === 'seconds') return formatLongDuration(value);
  if (kind === 'days') return formatLongDuration(value * 86_400);
  if (kind === 'bytes') return `${formatSetting(value, kind)}, ${formatBytes(value)}`;
  return formatSetting(value, kind);
}

/** Returns the text beside the field: the meaning of the number, or its unit. Empty if the field includes it. */
export function settingEcho(value: number, kind: Kind, { zero, unit = '' }: Echoed): string {
  if (value === 0 && zero !== undefined) return zero;
  if (kind === 'seconds') return formatLongDuration(value);
  if (kind === 'days') return formatLongDuration(value * 86_400);
  if (kind === 'bytes') return formatBytes(value);
  return unit;
}

interface Echoed {
  /** The meaning of 0, if 0 is special. */
  zero?: string;
  /** Returns the unit of the number, or the quantity it is a share of. */
  unit?: string;
}

/** Parses typed text; a problem states the expected format or the bounds. */
export function readSetting(name: keyof Settings, kind: Kind, text: string): Typed {
  const read = parseSetting(text.trim(), kind);
  if ('problem' in read) return read;
  const checked = SETTINGS[name].safeParse(read.value);
  return checked.success ? { value: checked.data } : { problem: boundsOf(name, kind) };
}

/** Reads a number without a unit. */
export function readCount(text: string): Typed {
  return numberIn(text.trim(), /^$/, t`Type a number, such as 10,000.`);
}

function parseSetting(text: string, kind: Kind): Typed {
  switch (kind) {
    case 'count':
      return readCount(text);
    case 'ms':
      return numberIn(text, /^ms$/i, t`Type milliseconds, such as 8 ms.`);
    case 'days':
      return numberIn(text, /^(d|days?)$/i, t`Type days, such as 7 d.`);
    case 'share': {
      const read = numberIn(text, /^%$/, t`Type a share, such as 50 %.`);
      return 'problem' in read ? read : { value: read.value / 100 };
    }
    case 'seconds': {
      const read = parseTypedDuration(text);
      return 'problem' in read ? read : { value: read.seconds };
    }
    case 'bytes':
      return readBytes(text);
  }
}

/** Parses a number, with or without thousands separators and its unit. */
function numberIn(text: string, unit: RegExp, problem: string): Typed {
  const [, digits, rest = ''] = /^([\d,]*\.?\d+)\s*(\D*)$/.exec(text) ?? [];
  const value = Number(digits?.replaceAll(',', ''));
  if (digits === undefined || !Number.isFinite(value) || (rest !== '' && !unit.test(rest.trim())))
    return { problem };
  return { value };
}

function readBytes(text: string): Typed {
  const [, digits, unit = 'B'] = /^([\d,]*\.?\d+)\s*([a-z]*)$/i.exec(text) ?? [];
  const size = UNITS[(unit === '' ? 'B' : unit).toUpperCase()];
  if (digits === undefined || size === undefined)
    return { problem: t`Type a size, such as 1 GiB or 500 MB.` };
  return { value: Math.round(Number(digits.replaceAll(',', '')) * size) };
}

function boundsOf(name: keyof Settings, kind: Kind): string {
  const { minValue, maxValue, format } = SETTINGS[name].unwrap();
  const from = minValue === null ? null : formatSetting(Math.max(minValue, 0), kind);
  const to = maxValue === null || maxValue >= Number.MAX_SAFE_INTEGER ? null : formatSetting(maxValue, kind);
  const isWhole = format === 'safeint';
  if (to === null) return isWhole ? t`A whole number, ${from ?? '0'} or more.` : t`${from ?? '0'} or more.`;
  return isWhole ? t`A whole number, from ${from ?? '0'} to ${to}.` : t`From ${from ?? '0'} to ${to}.`;
}
