import { formatCompact, formatCount, formatDuration } from '../../../../shared/model/format.ts';
import type { Measure } from './charts.ts';

/** A value as it is read beside its chart. */
export function figure(value: number | null, measure: Measure): string {
  if (value === null) return '–';
  switch (measure) {
    case 'ms':
      if (value >= 1_000) return formatDuration(value);
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
    return `${formatCompact(value / 1_000)} s`;
  }
  return value >= 10_000
    ? formatCompact(value)
    : value < 10
      ? String(Number(value.toFixed(2)))
      : formatCount(value);
}
