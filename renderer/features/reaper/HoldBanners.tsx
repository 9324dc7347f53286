import type { Hold } from '../../../shared/contract/reaper.ts';
import { formatCount } from '../../../shared/model/format.ts';
import { useLive, useRefusal } from '../../api.ts';
import { Button } from '../../components/Button.tsx';
import { Icon } from '../../components/Icon.tsx';
import { toCollection } from '../../components/location.ts';
import { Elapsed, Instant } from '../../components/Time.tsx';
import { confirmHold } from './reaper-actions.ts';
import { holdsHere } from './reaper-words.ts';

/** Of those elsewhere so many are named. */
const NAMED = 3;

/** What waits for a person's word before anything is removed [R8, R9, R10]; `here`: the collection of the page. */
export function HoldBanners({ here }: { here: string | null }) {
  const holds = useLive(({ reaper }) => reaper?.holds);
  if (holds === undefined || holds.length === 0) return null;
  const told = holdsHere({ holds }, here);
  const elsewhere = here === null ? holds.filter(({ collection }) => collection !== null) : [];
  return (
    <>
      {[...told, ...(elsewhere.length === 1 ? elsewhere : [])].map(hold => (
        <HoldBanner key={hold.id} hold={hold} here={here} />
      ))}
      {elsewhere.length > 1 && <Elsewhere holds={elsewhere} />}
    </>
  );
}

function HoldBanner({ hold, here }: { hold: Hold; here: string | null }) {
  const { collection, sentence, since } = hold;
  const mayConfigure = useRefusal('configure') === null;
  const title = collection === null ? 'The store is held' : `${collection} is held`;
  return (
    <div className="banner held" role="status">
      <Icon name="held" />
      <div className="t wrap">
        <b>
          {title} since <Instant at={since} />
        </b>{' '}
        (<Elapsed at={since} />
        ). {sentence}
      </div>
      {collection !== null && collection !== here && (
        <a className="btn" href={toCollection(collection)}>
          Open {collection}
        </a>
      )}
      <WhatWaits hold={hold} />
      {mayConfigure && (
        <Button variant="primary" onClick={() => void confirmHold(hold)}>
          Confirm
        </Button>
      )}
    </div>
  );
}

/** A definition that waits makes nothing due yet: it is the index that is looked at. */
function WhatWaits({ hold: { collection, index, due } }: { hold: Hold }) {
  if (collection === null) return null;
  if (index !== null) {
    return (
      <a className="btn" href={toCollection(collection, 'ttl-indexes')}>
        Show the index
      </a>
    );
  }
  if (due === 0) return null;
  return (
    <a
      className="btn"
      href={toCollection(collection, 'documents', { state: 'overdue', includeExpired: 'true' })}
    >
      List the due
    </a>
  );
}

function Elsewhere({ holds }: { holds: readonly Hold[] }) {
  const names = [...new Set(holds.flatMap(({ collection }) => collection ?? []))];
  return (
    <div className="banner held" role="status">
      <Icon name="held" />
      <div className="t wrap">
        <b>{names.length === 1 ? '1 collection is' : `${formatCount(names.length)} collections are`} held</b>{' '}
        until confirmed:{' '}
        {names.slice(0, NAMED).map((name, i) => (
          <span key={name}>
            {i > 0 && ', '}
            <a href={toCollection(name)}>{name}</a>
          </span>
        ))}
        {names.length > NAMED && ` and ${formatCount(names.length - NAMED)} more`}. Each says why on its page.
      </div>
    </div>
  );
}
