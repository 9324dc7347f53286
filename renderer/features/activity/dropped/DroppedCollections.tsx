import { useState } from 'react';
import type { DroppedCollection } from '../../../../shared/contract/collections.ts';
import { client, useLiveQuery } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Ago, Countdown } from '../../../components/time/Time.tsx';
import { formatBytes } from '../../../i18n/format.ts';
import { documents } from '../expired-model/format-expired.ts';
import { PurgeDialog } from '../purge/PurgeDialog.tsx';
import { RestoreDropped } from './RestoreDropped.tsx';

/** Dropped collections that are restorable. Renders nothing without one. */
export function DroppedCollections({ deniedReason }: { deniedReason: string | null }) {
  const { data, refetch } = useLiveQuery({
    key: ['activity', 'dropped'],
    ask: () => client.collections.dropped(),
    collection: null,
  });
  const [restoring, setRestoring] = useState<DroppedCollection | null>(null);
  const [purging, setPurging] = useState<DroppedCollection | null>(null);
  const asked = restoring ?? purging;
  if ((data === undefined || data.length === 0) && asked === null) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that may scroll must take the focus
    <section className="dropped" aria-label="Dropped collections" tabIndex={0}>
      <ul>
        {data?.map(dropped => (
          <li key={dropped.id} className="row">
            <Icon name="trash" size={12} className="t-3" />
            <b className="t-semi ell" title={dropped.name}>
              {dropped.name}
            </b>
            <span className="t-12 t-2 ell grow">
              {documents(dropped.documents)}, {formatBytes(dropped.bytes)}, dropped by {dropped.droppedBy}{' '}
              <Ago at={dropped.droppedAt} />. Restorable for <Countdown at={dropped.keepUntil} />.
            </span>
            <Button
              small
              icon="undo"
              disabled={deniedReason !== null}
              title={deniedReason ?? undefined}
              aria-label={`Restore ${dropped.name}…`}
              onClick={() => setRestoring(dropped)}
            >
              Restore…
            </Button>
            <Button
              variant="ghost"
              small
              className="danger-text"
              disabled={deniedReason !== null}
              title={deniedReason ?? undefined}
              aria-label={`Purge ${dropped.name}…`}
              onClick={() => setPurging(dropped)}
            >
              Purge…
            </Button>
          </li>
        ))}
      </ul>
      <RestoreDropped
        dropped={restoring}
        onClose={() => {
          setRestoring(null);
          void refetch();
        }}
      />
      <PurgeDialog
        opened={purging !== null}
        title="Purge this dropped collection now?"
        name={purging?.name ?? ''}
        of="collection"
        button="Purge collection"
        purge={async () => {
          if (purging !== null) await client.collections.purge({ id: purging.id });
        }}
        onClose={() => {
          setPurging(null);
          void refetch();
        }}
      >
        <p className="wrap">
          {documents(purging?.documents ?? 0)} of {purging?.name} will be erased.
        </p>
      </PurgeDialog>
    </section>
  );
}
