import { Icon } from '../../components/controls/Icon.tsx';
import { colourAt } from '../../components/figures/series-colours.ts';
import { legendEntries } from './model/legend.ts';
import type { TimelineAnswer } from './model/timeline-model.ts';

export interface TimelineLegendProps {
  answer: Pick<TimelineAnswer, 'series' | 'buckets'>;
  /** Indexes that have no bars before they are confirmed. */
  waiting: readonly string[];
  hiddenSeries: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

/** A name of so many letters is never cut for the sake of a longer one. */
const SHORT = 9;

/** Which colour is what; pressing one takes it out of the bars, the counts and the scale. */
export function TimelineLegend({ answer, waiting, hiddenSeries, onToggle }: TimelineLegendProps) {
  return (
    <div className="tl-legend">
      {legendEntries(answer).map(({ series: { id, label, pausedSince }, position }) => (
        <button
          key={id}
          type="button"
          className={label.length <= SHORT ? 'short' : undefined}
          aria-pressed={!hiddenSeries.has(id)}
          title={label}
          onClick={() => onToggle(id)}
        >
          <span
            className="sw"
            style={hiddenSeries.has(id) ? undefined : { background: colourAt(position) }}
          />
          <span className="ell">{label}</span>
          {pausedSince !== null && (
            <span className="c-paused" title="Paused">
              <Icon name="paused" size={12} />
              <span className="sr">, paused</span>
            </span>
          )}
        </button>
      ))}
      {waiting.map(name => (
        <span key={name} className="waits">
          <Icon name="held" size={12} />
          <span className="ell" title={name}>
            {name}
          </span>{' '}
          waits for confirmation
        </span>
      ))}
    </div>
  );
}
