import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { useLive, useRefusal, useWords } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { toCreateIndex } from '../../../components/navigation/location.ts';
import { Chip } from '../../../components/status/Chip.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import { useIsLate } from '../../../components/time/use-is-late.ts';
import { formatCount } from '../../../i18n/format.ts';
import { type Health, healthOf } from './index-health.ts';

function PausedBy({ what, by, since }: Extract<Health, { is: 'paused' }>) {
  const ago = <Ago at={since} />;
  switch (what) {
    case 'index':
      return (
        <Trans>
          by {by}, {ago}
        </Trans>
      );
    case 'collection':
      return (
        <Trans>
          with the collection by {by}, {ago}
        </Trans>
      );
    case 'store':
      return (
        <Trans>
          with the store by {by}, {ago}
        </Trans>
      );
  }
}

/** The most important state of an index, with a link to the place where it can be fixed. */
export function IndexHealth({ index }: { index: TtlIndex }) {
  const reaper = useLive(state => state.reaper);
  const isRow = useWords()?.record === 'row';
  const late = useIsLate(index);
  const mayConfigure = useRefusal('ttlIndexes.update') === null;
  const health = healthOf(index, reaper, late);
  switch (health.is) {
    case 'building':
      return (
        <span className="chip never">
          <Icon name="activity" size={12} />
          <Trans>Building</Trans>
        </span>
      );
    case 'paused':
      return (
        <>
          <Chip state="paused" />
          <span className="t-12 t-3 nowrap">
            <PausedBy {...health} />
          </span>
        </>
      );
    case 'unconfirmed':
      return <Chip state="held">{t`Awaits confirmation`}</Chip>;
    case 'held':
      return (
        <>
          <Chip state="held" />
          <span className="t-12 t-3 nowrap">
            {health.what === 'store'
              ? t`with the store, until confirmed`
              : t`with the collection, until confirmed`}
          </span>
        </>
      );
    case 'observing':
      return (
        <span className="chip never">
          <Icon name="search" size={12} />
          <Trans>Observing</Trans>
        </span>
      );
    case 'wrong unit':
      return (
        <span className="row t-12">
          <span className="chip soon">
            <Icon name="warn" size={12} />
            <Trans>Wrong unit suspected</Trans>
          </span>
          {mayConfigure ? (
            <a className="ell" href={toCreateIndex(index.collection)}>
              <Trans>{formatCount(health.values)} values are only plausible in the other unit</Trans>
            </a>
          ) : (
            <span className="ell">
              <Trans>{formatCount(health.values)} values are only plausible in the other unit</Trans>
            </span>
          )}
        </span>
      );
    case 'overdue':
      return <Chip state="overdue" />;
    case 'idle':
      return (
        <span className="chip never">
          <Icon name="info" size={12} />
          {isRow ? t`No rows covered now` : t`No documents covered now`}
        </span>
      );
    case 'well':
      return <Chip state="running">{t`Active`}</Chip>;
  }
}
