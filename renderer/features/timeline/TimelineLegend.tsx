import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Icon } from '../../components/controls/Icon.tsx';
import { colourAt } from '../../components/figures/series-colours.ts';
import { legendEntries } from './model/legend.ts';
import type { TimelineAnswer } from './model/timeline-model.ts';
import classes from './timeline.module.css';

export interface TimelineLegendProps {
  answer: Pick<TimelineAnswer, 'series' | 'buckets'>;
  /** Indexes that await confirmation: they have no bars yet. */
  waiting: readonly string[];
  hiddenSeries: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

/** Names up to this length are not cut to make room for longer ones, characters. */
const SHORT = 9;

/** The colour of each series; pressing one hides it from the bars, the counts and the scale. */
export function TimelineLegend({ answer, waiting, hiddenSeries, onToggle }: TimelineLegendProps) {
  return (
    <div className="tl-legend">
      {legendEntries(answer).map(({ series: { id, label, pausedSince, colour }, position }) => (
        <button
          key={id}
          type="button"
          className={label.length <= SHORT ? classes.short : undefined}
          aria-pressed={!hiddenSeries.has(id)}
          title={label}
          onClick={() => onToggle(id)}
        >
          <span
            className="swatch"
            style={hiddenSeries.has(id) ? undefined : { background: colourAt(colour ?? position) }}
          />
          <span className="ell">{label}</span>
          {pausedSince !== null && (
            <span className="c-paused" title={t`Paused`}>
              <Icon name="paused" size={12} />
              <span className="visually-hidden">{t`, paused`}</span>
            </span>
          )}
        </button>
      ))}
      {waiting.map(name => (
        <span key={name} className={classes.waits}>
          <Icon name="held" size={12} />
          <Trans>
            <span className="ell" title={name}>
              {name}
            </span>{' '}
            awaits confirmation
          </Trans>
        </span>
      ))}
    </div>
  );
}
