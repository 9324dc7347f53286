import { t } from '@lingui/core/macro';
import { formatAxisCount } from '../../../components/canvas-chart/scale.ts';
import { formatCount } from '../../../i18n/format.ts';
import { language } from '../../../i18n/i18n.ts';
import type { Measure } from './charts.ts';

const MINUTE = 60_000;

/** `0.98 ms`, `2.4 s`, `22.1`, `81,754`: a value beside its chart; `–` for none. */
export function formatFigure(value: number | null, measure: Measure): string {
  if (value === null) return '–';
  switch (measure) {
    case 'ms':
      if (value === 0) return '0 s';
      if (value >= 1_000) return formatInOneUnit(value);
      return t`${Number(value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0))} ms`;
    case 'rate':
      return value >= 100 ? formatCount(value) : String(Number(value.toFixed(value < 1 ? 2 : 1)));
    case 'documents':
      return formatCount(value);
  }
}

/** `100 ms`, `2 m`, `12.5 k`: a value at the axis of its chart. */
export function formatAxisFigure(value: number, measure: Measure): string {
  if (measure === 'ms') {
    if (value < 1_000) return t`${Number(value.toFixed(2))} ms`;
    // The powers of ten of a log scale stay in seconds; whole minutes and hours take their own unit.
    return value < MINUTE || value % MINUTE !== 0
      ? `${(value / 1_000).toLocaleString(language, { maximumFractionDigits: 2 })} s`
      : formatInOneUnit(value);
  }
  return value < 10 ? String(Number(value.toFixed(2))) : formatAxisCount(value);
}

/** `2.4 s`, `2.6 m`, `1.2 h`. */
function formatInOneUnit(ms: number): string {
  const [size, unit] = UNITS.find(([length]) => ms >= length) ?? ([1_000, 's'] as const);
  return `${Number((ms / size).toFixed(1))} ${unit}`;
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [MINUTE, 'm'],
] as const;
