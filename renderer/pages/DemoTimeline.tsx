import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { engineNow } from '../api.ts';
import { colourAt } from '../components/figures/series-colours.ts';
import { useZone } from '../components/time/clock.ts';
import type { TimelineAnswer } from '../features/timeline/model/timeline-model.ts';
import { Timeline } from '../features/timeline/Timeline.tsx';
import { everyWhileVisible } from '../state/while-visible.ts';
import { DEMO_SERIES, demoAnswer } from './demo-answer.ts';
import classes from './start.module.css';

const EVERY_MS = 250;

const RUNNING = { state: 'running', since: null } as const;

/** A running example of the timeline, with generated documents, labelled as an example. */
export function DemoTimeline() {
  const [zone] = useZone();
  const [answer, setAnswer] = useState<TimelineAnswer>(() => demoAnswer(engineNow()));
  useEffect(() => everyWhileVisible(EVERY_MS, () => setAnswer(demoAnswer(engineNow()))), []);
  return (
    <section className={`panel ${classes.demo}`} aria-label={t`How to read the timeline`}>
      <div className="panel-h">
        <h2>{t`The timeline`}</h2>
        <span className="t-12 t-3">{t`generated documents, live, one minute wide`}</span>
        <span className="spacer" />
        <div className="tl-legend">
          {DEMO_SERIES.map((name, index) => (
            <span key={name} className={classes.sign}>
              <span className="swatch" style={{ background: colourAt(index) }} />
              {name}
            </span>
          ))}
        </div>
      </div>
      <div className={classes.plot}>
        <Timeline
          answer={answer}
          clock={engineNow}
          zone={zone}
          zoom="1m"
          onZoomChange={() => {}}
          onRangeNeeded={() => {}}
          reaper={RUNNING}
          label={t`An example of a timeline`}
        />
      </div>
      <div className={classes.caps}>
        <div>
          <span className={`${classes.sign} ${classes.past}`} />
          <p>
            <Trans>
              <b>Left: expired.</b> Each block is one document that was removed.
            </Trans>
          </p>
        </div>
        <div>
          <span className={`${classes.sign} ${classes.late}`} />
          <p>
            <Trans>
              <b>At now: overdue.</b> Past its deadline, hidden from reads, still stored. The gap is the lag.
            </Trans>
          </p>
        </div>
        <div>
          <span className={`${classes.sign} hatch`} />
          <p>
            <Trans>
              <b>Right: will expire.</b> Exact counts of stored documents.
            </Trans>
          </p>
        </div>
      </div>
    </section>
  );
}
