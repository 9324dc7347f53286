import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Pass } from '../../../../shared/contract/reaper.ts';
import { IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { toActivity, toCollection } from '../../../components/navigation/location.ts';
import { Note } from '../../../components/status/Note.tsx';
import { RelativeAndInstant } from '../../../components/time/Time.tsx';
import { formatBatchLength, formatCount, formatDuration } from '../../../i18n/format.ts';
import classes from '../activity.module.css';
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
    <aside className="drawer" aria-label={t`Pass ${formatCount(pass.id)}`}>
      <div className="row drawer-h">
        <b className="t-semi grow">
          <Trans>Pass {formatCount(pass.id)}</Trans>
        </b>
        <IconButton icon="x" label={t`Close`} shortcut="Esc" onClick={onClose} />
      </div>
      <div className="drawer-b">
        <section>
          <p className="wrap">
            <Trans>
              {formatPassResult(pass)} in <a href={toCollection(pass.collection)}>{pass.collection}</a>,
              triggered by {TRIGGER_LABEL[pass.trigger]}.
            </Trans>
          </p>
          <dl className={`${classes.facts} t-12`}>
            <dt>{t`Ended`}</dt>
            <dd>
              <span className={ending.className}>
                <Icon name={ending.icon} size={12} /> {ending.word}.
              </span>{' '}
              <span className="t-2">{ending.meaning}</span>
            </dd>
            <dt>{t`Started`}</dt>
            <dd>
              <RelativeAndInstant at={pass.startedAt} />
            </dd>
            <dt>{t`Duration`}</dt>
            <dd>{formatDuration(pass.endedAt - pass.startedAt)}</dd>
            <dt>{t`Cutoff`}</dt>
            <dd>
              <RelativeAndInstant at={pass.cutoff} />
            </dd>
            <dt>{t`Batches`}</dt>
            <dd>
              <Trans>
                {formatCount(pass.batches)}, the longest {formatBatchLength(pass.longestBatchMs)}
              </Trans>
            </dd>
          </dl>
          {pass.error !== null && <Note tone="bad">{pass.error}</Note>}
        </section>
        {rules.length > 0 && (
          <section>
            <h2 className="t-11 t-3">{t`By index`}</h2>
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
          <a href={toActivity('expired', { collection: pass.collection })}>
            <Trans>Expired in {pass.collection}</Trans>
          </a>
        </section>
      </div>
    </aside>
  );
}
