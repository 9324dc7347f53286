import { formatCount } from '../../../../shared/model/format.ts';
import type { Measure } from './charts.ts';

const MINUTE = 60_000;

/** A value as it is read beside its chart. */
export function figure(value: number | null, measure: Measure): string {
  if (value === null) return '–';
  switch (measure) {
    case 'ms':
      if (value === 0) return '0 s';
      if (value >= 1_000) return shortDuration(value);
      return `${Number(value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0))} ms`;
    case 'rate':
      return value >= 100 ? formatCount(value) : String(Number(value.toFixed(value < 1 ? 2 : 1)));
    case 'documents':
      return formatCount(value);
  }
}

/** The same at the axis, where room is scarce. */
export function axisFigure(value: number, measure: Measure): string {
  if (measure === 'ms') {
    if (value < 1_000) return `${Number(value.toFixed(2))} ms`;
    // The powers of ten of a log scale stay in one unit; steps of minutes and hours are told in theirs.
    return value < MINUTE || value % MINUTE !== 0
      ? `${(value / 1_000).toLocaleString('en-US', { maximumFractionDigits: 2 })} s`
      : shortDuration(value);
  }
  return value < 10 ? String(Number(value.toFixed(2))) : shortCount(value);
}

/** `2.4 s`, `2.6 m`, `1.2 h`: one unit, as a line's figure stands among others. */
function shortDuration(ms: number): string {
  const [size, unit] = UNITS.find(([length]) => ms >= length) ?? ([1_000, 's'] as const);
  return `${Number((ms / size).toFixed(1))} ${unit}`;
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [MINUTE, 'm'],
] as const;

/** `5,000`, `12.5 k`, `2 M`: exact for the round values of an axis. */
function shortCount(value: number): string {
  if (value < 10_000) return formatCount(value);
  const [size, unit] = value < 1e6 ? [1e3, 'k'] : value < 1e9 ? [1e6, 'M'] : [1e9, 'G'];
  return `${Number((value / size).toFixed(1))} ${unit}`;
}
