import { t } from '@lingui/core/macro';
import type { Metrics } from '../../../../shared/contract/metrics.ts';
import type { Zone } from '../../../../shared/model/zone.ts';
import { formatInstantInFull } from '../../../i18n/format.ts';
import { type Chart, currentValueOf } from './charts.ts';
import { formatFigure } from './format-figure.ts';

/**
 * Returns the values of all charts at the crosshair, or now, in one sentence for screen readers. Unknown values are
 * left out.
 */
export function formatCrosshair(
  charts: readonly Chart[],
  index: number | null,
  at: number | null,
  zone: Zone,
  metrics: Metrics | undefined,
): string {
  const parts = charts.flatMap(chart => {
    const { title, lines, measure } = chart;
    const known = lines.flatMap(line => {
      const { label, values } = line;
      const value = index === null ? currentValueOf(line, metrics) : (values[index] ?? null);
      return value === null
        ? []
        : [`${lines.length === 1 ? '' : `${label} `}${formatFigure(value, measure)}`];
    });
    return known.length === 0 ? [] : [`${title} ${known.join(', ')}`];
  });
  const when = at === null ? t`Now` : formatInstantInFull(at, zone);
  return parts.length === 0 ? t`${when}: no measurements` : `${when}: ${parts.join('; ')}`;
}
