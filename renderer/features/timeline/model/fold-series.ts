import { t } from '@lingui/core/macro';
import { type ColourPlaces, SERIES_COLOURS } from '../../../components/figures/series-colours.ts';
import { sum, type TimelineAnswer, type TimelineSeries } from './timeline-model.ts';

/** Grey. */
const OTHERS_COLOUR = SERIES_COLOURS - 1;
/** The id of the series that merges all series without a colour of their own. */
const OTHERS = '\u0000others';

/** Colours the series, and merges those without a colour of their own into one, after the others. Counts stay exact. */
export function foldSeries(plain: TimelineAnswer, places: ColourPlaces): TimelineAnswer {
  const answer = {
    ...plain,
    series: plain.series.map(one => ({ ...one, colour: places.get(one.id) ?? OTHERS_COLOUR })),
  };
  const own = answer.series.flatMap(({ id }, position) => (places.has(id) ? [position] : []));
  const rest = answer.series.flatMap(({ id }, position) => (places.has(id) ? [] : [position]));
  if (rest.length <= 1) return answer;
  const folded = (counts: readonly number[]) => [
    ...own.map(position => counts[position] ?? 0),
    sum(rest.map(position => counts[position] ?? 0)),
  ];
  const seriesAt = (positions: readonly number[]) =>
    positions.flatMap(position => answer.series[position] ?? []);
  return {
    ...answer,
    series: [...seriesAt(own), together(seriesAt(rest))],
    buckets: answer.buckets.map(({ fromAt, expired, due, overdue }) => ({
      fromAt,
      expired: folded(expired),
      due: folded(due),
      ...(overdue && { overdue: folded(overdue) }),
    })),
    cliffs: answer.cliffs.map(cliff => {
      const place = own.indexOf(cliff.series);
      return { ...cliff, series: place < 0 ? own.length : place };
    }),
  };
}

function together(series: readonly TimelineSeries[]): TimelineSeries {
  // Overdue documents of the merged series are those of its paused ones: the others are in time.
  const paused = series.flatMap(({ pausedSince, overdue }) =>
    pausedSince !== null && overdue > 0 ? [pausedSince] : [],
  );
  return {
    id: OTHERS,
    label: t`${sum(series.map(({ collections }) => collections ?? 1))} others`,
    pausedSince: paused.length === 0 ? null : Math.min(...paused),
    overdue: sum(series.map(({ overdue }) => overdue)),
    colour: OTHERS_COLOUR,
  };
}
