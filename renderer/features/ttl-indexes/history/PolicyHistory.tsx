import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PolicyChange, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { useLive, useRefusal } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon, type IconName } from '../../../components/controls/Icon.tsx';
import { Ago, Instant } from '../../../components/time/Time.tsx';
import { Differences } from './Differences.tsx';
import { differences, formatChange, revertOffer } from './format-change.ts';
import classes from './policy-history.module.css';

interface PolicyHistoryProps {
  history: readonly PolicyChange[];
  /** The present definition; null: the index was dropped. */
  current: TtlIndex | null;
  onRevert: (change: PolicyChange) => void;
}

const ICONS: Readonly<Record<PolicyChange['change'], IconName>> = {
  create: 'plus',
  change: 'edit',
  drop: 'trash',
  pause: 'paused',
  resume: 'running',
  confirm: 'check',
  revert: 'undo',
};

/** Each change, latest first: its differences, author and time, with a button to revert it [X5]. */
export function PolicyHistory({ history, current, onRevert }: PolicyHistoryProps) {
  const mayConfigure = useRefusal('ttlIndexes.revert') === null;
  const isRemote = useLive(({ remote }) => remote !== null);
  // Another database's own definitions have none.
  if (isRemote && history.length === 0) return null;
  return (
    <section className={`panel ${classes.policy}`} aria-label={t`Policy history`}>
      <div className="panel-h line">
        <h2>{t`Policy history`}</h2>
        <span className="t-12 t-3">{t`latest first`}</span>
      </div>
      {history.length === 0 ? (
        <p className={`t-2 ${classes.none}`}>{t`Created by an earlier version, without history.`}</p>
      ) : (
        <ol>
          {history.map(change => (
            <li key={change.id}>
              <Icon name={ICONS[change.change]} size={14} />
              <div className="what">
                <p>
                  <b className="t-semi">{formatChange(change)}</b>{' '}
                  <span className="t-2">
                    <Trans>
                      by {change.by}, <Ago at={change.at} />
                    </Trans>
                  </span>{' '}
                  <Instant at={change.at} className="t-3" />
                </p>
                <Effect change={change} />
              </div>
              {mayConfigure && <WayBack change={change} current={current} onRevert={onRevert} />}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** Shows only the differences. */
function Effect({ change: { change, before, after } }: { change: PolicyChange }) {
  if (change === 'pause' || change === 'resume') return null;
  if (after === null) return <p className="t-2">{t`Its expiration stopped; no document was changed.`}</p>;
  const found = differences(before, after);
  if (found.length > 0) return <Differences differences={found} />;
  return <p className="t-2">{change === 'confirm' ? t`In effect since then.` : t`No difference.`}</p>;
}

function WayBack({
  change,
  current,
  onRevert,
}: Pick<PolicyHistoryProps, 'current' | 'onRevert'> & { change: PolicyChange }) {
  const offer = revertOffer(change, current);
  if ('refusal' in offer) return <span className="t-12 t-3 nowrap">{offer.refusal}</span>;
  return (
    <Button small icon="undo" onClick={() => onRevert(change)}>
      {current === null ? t`Restore…` : t`Revert…`}
    </Button>
  );
}
