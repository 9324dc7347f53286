import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Hold } from '../../../shared/contract/reaper.ts';
import { useRefusal } from '../../api.ts';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { toCollection } from '../../components/navigation/location.ts';
import { Quiet } from '../../components/status/Quiet.tsx';
import { Elapsed, Instant } from '../../components/time/Time.tsx';
import { formatHold } from '../../i18n/format-hold.ts';
import { confirmHold } from './reaper-actions.ts';

/** One hold: what is held, since when and why, with a link to what is due and a button to confirm. */
export function HoldBanner({ hold, here }: { hold: Hold; here: string | null }) {
  const { collection, since } = hold;
  const mayConfigure = useRefusal('reaper.confirm') === null;
  const what = collection ?? t`the store`;
  return (
    <div className="banner held" role="status">
      <Icon name="held" />
      <div className="banner-text wrap">
        <b>
          {collection ?? t`The store`}{' '}
          <Trans>
            is held since <Instant at={since} />
          </Trans>
        </b>{' '}
        (
        <Quiet>
          <Elapsed at={since} />
        </Quiet>
        ). {formatHold(hold)}
      </div>
      {collection !== null && collection !== here && (
        <ButtonLink href={toCollection(collection)} title={t`Open ${collection}`}>
          <span className="ell">
            <Trans>Open {collection}</Trans>
          </span>
        </ButtonLink>
      )}
      <DueLink hold={hold} />
      {mayConfigure && (
        <Button
          variant="primary"
          title={t`Confirm for ${what}`}
          onClick={() => void confirmHold(hold)}
        >{t`Confirm`}</Button>
      )}
    </div>
  );
}

/** A hold of an index definition links to the index: no document is due by it yet. */
function DueLink({ hold: { collection, index, due } }: { hold: Hold }) {
  if (collection === null) return null;
  if (index !== null) {
    return <ButtonLink href={toCollection(collection, 'ttl-indexes')}>{t`Show the index`}</ButtonLink>;
  }
  if (due === 0) return null;
  return (
    <ButtonLink
      href={toCollection(collection, 'documents', { state: 'overdue', includeExpired: 'true' })}
    >{t`List overdue`}</ButtonLink>
  );
}
