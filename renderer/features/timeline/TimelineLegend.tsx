import { Icon } from '../../components/Icon.tsx';
import type { TimelineSeries } from './model.ts';
import { seriesColour } from './palette.ts';

export interface TimelineLegendProps {
  series: readonly TimelineSeries[];
  hiddenSeries: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

/** Which colour is what; pressing one takes it out of the bars, the counts and the scale. */
export function TimelineLegend({ series, hiddenSeries, onToggle }: TimelineLegendProps) {
  return (
    <div className="tl-legend">
      {series.map(({ id, label, pausedSince }, position) => (
        <button key={id} type="button" aria-pressed={!hiddenSeries.has(id)} onClick={() => onToggle(id)}>
          <span
            className="sw"
            style={hiddenSeries.has(id) ? undefined : { background: seriesColour(position) }}
          />
          {label}
          {pausedSince !== null && (
            <span className="c-paused" title="Paused">
              <Icon name="paused" size={12} />
              <span className="sr">, paused</span>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
