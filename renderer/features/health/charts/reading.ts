import { formatInstantInFull } from '../../../../shared/model/format.ts';
import type { Zone } from '../../../../shared/model/zone.ts';
import type { Chart } from './charts.ts';
import { figure } from './figures.ts';

/** All charts at the crosshair, or now, in one sentence. What is not known is not read. */
export function readAloud(
  charts: readonly Chart[],
  index: number | null,
  at: number | null,
  zone: Zone,
): string {
  const parts = charts.flatMap(({ title, lines, measure }) => {
    const known = lines.flatMap(({ label, values, now }) => {
      const value = index === null ? now : (values[index] ?? null);
      return value === null ? [] : [`${lines.length === 1 ? '' : `${label} `}${figure(value, measure)}`];
    });
    return known.length === 0 ? [] : [`${title} ${known.join(', ')}`];
  });
  const when = at === null ? 'Now' : formatInstantInFull(at, zone);
  return parts.length === 0 ? `${when}: nothing was measured` : `${when}: ${parts.join('; ')}`;
}
