import { t } from '@lingui/core/macro';
import type { Ref } from 'react';
import { Icon } from '../../components/controls/Icon.tsx';
import { colourAt } from '../../components/figures/series-colours.ts';
import { formatCount } from '../../i18n/format.ts';
import type { Reading } from './model/bucket-readout.ts';
import type { TimelineSeries } from './model/timeline-model.ts';
import classes from './timeline.module.css';

export interface TimelineReadoutProps {
  reading: Reading;
  series: readonly TimelineSeries[];
  /** The input that opens these documents: click or key. */
  invitation: string | null;
  ref: Ref<HTMLDivElement>;
}

/** Placed beside the focused bucket. Hidden from screen readers, which read the live region. */
export function TimelineReadout({ reading, series, invitation, ref }: TimelineReadoutProps) {
  return (
    <div className={classes.readout} ref={ref} aria-hidden="true">
      <div className={classes.head}>
        <b>{reading.relative}</b>
        <span className="t-2">{reading.span}</span>
      </div>
      <div className="t-3">{reading.note}</div>
      <table>
        <tbody>
          {reading.counts.map(({ position, label, count }) => (
            <tr key={position}>
              <td>
                <span
                  className="swatch"
                  style={{ background: colourAt(series[position]?.colour ?? position) }}
                />
                {label}
              </td>
              <td>{formatCount(count)}</td>
            </tr>
          ))}
          {reading.counts.length === 0 && (
            <tr>
              <td className="t-3">{t`nothing`}</td>
              <td>0</td>
            </tr>
          )}
          <tr className={classes.total}>
            <td>{t`Total`}</td>
            <td>{formatCount(reading.total)}</td>
          </tr>
        </tbody>
      </table>
      {reading.split !== null && <div className={`${classes.opens} ${classes.said}`}>{reading.split}</div>}
      {reading.cliff !== null && (
        <div className={`${classes.opens} ${classes.said}`}>
          <Icon name="cliff" size={12} /> {reading.cliff}
        </div>
      )}
      {invitation !== null && <div className={classes.opens}>{invitation}</div>}
    </div>
  );
}
