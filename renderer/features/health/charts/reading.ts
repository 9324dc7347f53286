import type { Metrics } from '../../../../shared/contract/metrics.ts';
import { formatInstantInFull } from '../../../../shared/model/format.ts';
import type { Zone } from '../../../../shared/model/zone.ts';
import { type Chart, nowOf } from './charts.ts';
import { figure } from './figures.ts';

/** All charts at the crosshair, or now, in one sentence. What is not known is not read. */
export function readAloud(
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
      const value = index === null ? nowOf(chart, line, metrics) : (values[index] ?? null);
      return value === null ? [] : [`${lines.length === 1 ? '' : `${label} `}${figure(value, measure)}`];
    });
    return known.length === 0 ? [] : [`${title} ${known.join(', ')}`];
  });
  const when = at === null ? 'Now' : formatInstantInFull(at, zone);
  return parts.length === 0 ? `${when}: nothing was measured` : `${when}: ${parts.join('; ')}`;
}
