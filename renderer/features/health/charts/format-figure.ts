import { t } from '@lingui/core/macro';
import { formatAxisCount } from '../../../components/canvas-chart/scale.ts';
import { formatCount, formatDecimal } from '../../../i18n/format.ts';
import { language } from '../../../i18n/i18n.ts';
import type { Measure } from './charts.ts';

const MINUTE = 60_000;

/** Returns a value beside its chart: `0.98 ms`, `2.4 s`, `22.1`, `81,754`; `–` for none. */
export function formatFigure(value: number | null, measure: Measure): string {
  if (value === null) return '–';
  switch (measure) {
    case 'ms':
      if (value === 0) return '0 s';
      if (value >= 1_000) return formatInOneUnit(value);
      return t`${formatDecimal(value, value < 1 ? 2 : value < 10 ? 1 : 0)} ms`;
    case 'rate':
      return value >= 100 ? formatCount(value) : formatDecimal(value, value < 1 ? 2 : 1);
    case 'documents':
      return formatCount(value);
  }
}

/** Returns a value at the axis of its chart: `100 ms`, `2 m`, `12.5 k`. */
export function formatAxisFigure(value: number, measure: Measure): string {
  if (measure === 'ms') {
    if (value < 1_000) return t`${formatDecimal(value, 2)} ms`;
    // The powers of ten of a log scale stay in seconds; whole minutes and hours have their own unit.
    return value < MINUTE || value % MINUTE !== 0
      ? `${(value / 1_000).toLocaleString(language, { maximumFractionDigits: 2 })} s`
      : formatInOneUnit(value);
  }
  return value < 10 ? formatDecimal(value, 2) : formatAxisCount(value);
}

/** Returns a duration in its largest unit: `2.4 s`, `2.6 m`, `1.2 h`. */
function formatInOneUnit(ms: number): string {
  const [size, unitOf] = UNITS.find(([length]) => ms >= length) ?? SECONDS;
  return unitOf(formatDecimal(ms / size, 1));
}

const SECONDS = [1_000, (amount: string) => t`${amount} s`] as const;
const UNITS = [
  [86_400_000, (amount: string) => t`${amount} d`],
  [3_600_000, (amount: string) => t`${amount} h`],
  [MINUTE, (amount: string) => t`${amount} m`],
] as const;
