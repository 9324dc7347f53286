import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { useLive, useRefusal } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { toCreateIndex } from '../../../components/navigation/location.ts';
import { Chip } from '../../../components/status/Chip.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import { useIsLate } from '../../../components/time/use-is-late.ts';
import { formatCount } from '../../../i18n/format.ts';
import { healthOf } from './index-health.ts';

/** The most important state of an index, with a link to the place where it can be fixed. */
export function IndexHealth({ index }: { index: TtlIndex }) {
  const reaper = useLive(state => state.reaper);
  const late = useIsLate(index);
  const mayConfigure = useRefusal('ttlIndexes.update') === null;
  const health = healthOf(index, reaper, late);
  switch (health.is) {
    case 'building':
      return (
        <span className="chip never">
          <Icon name="activity" size={12} />
          Building
        </span>
      );
    case 'paused':
      return (
        <>
          <Chip state="paused" />
          <span className="t-12 t-3 nowrap">
            {health.what === 'index' ? '' : `with the ${health.what} `}by {health.by},{' '}
            <Ago at={health.since} />
          </span>
        </>
      );
    case 'unconfirmed':
      return <Chip state="held">Awaits confirmation</Chip>;
    case 'held':
      return (
        <>
          <Chip state="held" />
          <span className="t-12 t-3 nowrap">with the {health.what}, until confirmed</span>
        </>
      );
    case 'observing':
      return (
        <span className="chip never">
          <Icon name="search" size={12} />
          Observing
        </span>
      );
    case 'wrong unit':
      return (
        <span className="row t-12">
          <span className="chip soon">
            <Icon name="warn" size={12} />
            Wrong unit suspected
          </span>
          {mayConfigure ? (
            <a className="ell" href={toCreateIndex(index.collection)}>
              {formatCount(health.values)} values are only plausible in the other unit
            </a>
          ) : (
            <span className="ell">
              {formatCount(health.values)} values are only plausible in the other unit
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
          No documents covered now
        </span>
      );
    case 'well':
      return <Chip state="running">Active</Chip>;
  }
}
