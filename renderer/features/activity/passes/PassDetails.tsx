import type { Pass } from '../../../../shared/contract/reaper.ts';
import { IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { toActivity, toCollection } from '../../../components/navigation/location.ts';
import { Note } from '../../../components/status/Note.tsx';
import { RelativeAndInstant } from '../../../components/time/Time.tsx';
import { formatCount, formatDuration } from '../../../i18n/format.ts';
import classes from '../activity.module.css';
import { formatBatchLength } from './format-batch-length.ts';
import { endingOf, formatIndexName, formatPassResult, TRIGGER_LABEL } from './format-pass.ts';

interface PassDetailsProps {
  pass: Pass;
  isReaperActive: boolean;
  onClose: () => void;
}

export function PassDetails({ pass, isReaperActive, onClose }: PassDetailsProps) {
  const ending = endingOf(pass, isReaperActive);
  const rules = Object.entries(pass.byIndex);
  return (
    <aside className="drawer" aria-label={`Pass ${formatCount(pass.id)}`}>
      <div className="row drawer-h">
        <b className="t-semi grow">Pass {formatCount(pass.id)}</b>
        <IconButton icon="x" label="Close" shortcut="Esc" onClick={onClose} />
      </div>
      <div className="drawer-b">
        <section>
          <p className="wrap">
            {formatPassResult(pass)} in <a href={toCollection(pass.collection)}>{pass.collection}</a>,
            triggered by {TRIGGER_LABEL[pass.trigger]}.
          </p>
          <dl className={`${classes.facts} t-12`}>
            <dt>Ended</dt>
            <dd>
              <span className={ending.className}>
                <Icon name={ending.icon} size={12} /> {ending.word}.
              </span>{' '}
              <span className="t-2">{ending.meaning}</span>
            </dd>
            <dt>Started</dt>
            <dd>
              <RelativeAndInstant at={pass.startedAt} />
            </dd>
            <dt>Took</dt>
            <dd>{formatDuration(pass.endedAt - pass.startedAt)}</dd>
            <dt>Cutoff</dt>
            <dd>
              <RelativeAndInstant at={pass.cutoff} />
            </dd>
            <dt>Batches</dt>
            <dd>
              {formatCount(pass.batches)}, the longest {formatBatchLength(pass.longestBatchMs)}
            </dd>
          </dl>
          {pass.error !== null && <Note tone="bad">{pass.error}</Note>}
        </section>
        {rules.length > 0 && (
          <section>
            <h2 className="t-11 t-3">By index</h2>
            <dl className={`${classes.counts} t-12`}>
              {rules.map(([index, count]) => (
                <div key={index}>
                  <dt className="ell" title={formatIndexName(index)}>
                    {formatIndexName(index)}
                  </dt>
                  <dd className="num">{formatCount(count)}</dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        <section>
          <a href={toActivity('expired', { collection: pass.collection })}>Expired in {pass.collection}</a>
        </section>
      </div>
    </aside>
  );
}
