import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { Hold } from '../../../shared/contract/reaper.ts';
import { useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { toCollection, usePlace } from '../../components/navigation/location.ts';
import { formatCount } from '../../i18n/format.ts';
import { foldHolds, holdsHere } from './format-reaper.ts';
import { HoldBanner } from './HoldBanner.tsx';

/** Collections named in the folded banner. */
const NAMED = 3;

/** Holds that wait for confirmation [R8, R9, R10]; `here`: the collection of the page. */
export function HoldBanners({ here }: { here: string | null }) {
  const holds = useLive(({ reaper }) => reaper?.holds);
  const isOverview = (usePlace().path[0] ?? 'overview') === 'overview';
  const [unfolded, setUnfolded] = useState(false);
  if (holds === undefined || holds.length === 0) return null;
  const shownHere = holdsHere({ holds }, here);
  const elsewhere = here === null ? holds.filter(({ collection }) => collection !== null) : [];
  const { each, folded } = foldHolds(elsewhere, isOverview, unfolded);
  return (
    <>
      {[...shownHere, ...each].map(hold => (
        <HoldBanner key={hold.id} hold={hold} here={here} />
      ))}
      {folded.length > 0 && <Folded holds={folded} onUnfold={() => setUnfolded(true)} />}
      {unfolded && each.length > 1 && (
        <div className="banner held fold">
          <Button small onClick={() => setUnfolded(false)}>{t`Show fewer`}</Button>
        </div>
      )}
    </>
  );
}

function Folded({ holds, onUnfold }: { holds: readonly Hold[]; onUnfold: () => void }) {
  const names = [...new Set(holds.flatMap(({ collection }) => collection ?? []))];
  return (
    <div className="banner held" role="status">
      <Icon name="held" />
      <div className="banner-text wrap">
        <b>
          <Plural
            value={names.length}
            one="# collection is held until confirmed:"
            other="# collections are held until confirmed:"
          />
        </b>{' '}
        {names.slice(0, NAMED).map((name, i) => (
          <span key={name}>
            {i > 0 && ', '}
            <a href={toCollection(name)}>{name}</a>
          </span>
        ))}
        {names.length > NAMED && ` ${t`and ${formatCount(names.length - NAMED)} more`}`}.
      </div>
      <Button onClick={onUnfold}>
        <Trans>
          Show <Plural value={holds.length} one="it" other="each" />
        </Trans>
      </Button>
    </div>
  );
}
