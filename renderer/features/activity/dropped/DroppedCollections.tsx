import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { DroppedCollection } from '../../../../shared/contract/collections.ts';
import { client, orpc, useLiveQuery } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Ago, Countdown } from '../../../components/time/Time.tsx';
import { formatBytes } from '../../../i18n/format.ts';

import { PurgeDialog } from '../purge/PurgeDialog.tsx';
import { RestoreDropped } from './RestoreDropped.tsx';

/** Dropped collections that are restorable. Renders nothing without one. */
export function DroppedCollections({ deniedReason }: { deniedReason: string | null }) {
  const { data, refetch } = useLiveQuery(orpc.collections.dropped.queryOptions(), { collection: null });
  const [restoring, setRestoring] = useState<DroppedCollection | null>(null);
  const [purging, setPurging] = useState<DroppedCollection | null>(null);
  const asked = restoring ?? purging;
  if ((data === undefined || data.length === 0) && asked === null) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that may scroll must take the focus
    <section className="dropped" aria-label={t`Dropped collections`} tabIndex={0}>
      <ul>
        {data?.map(dropped => (
          <li key={dropped.id} className="row">
            <Icon name="trash" size={12} className="t-3" />
            <b className="t-semi ell" title={dropped.name}>
              {dropped.name}
            </b>
            <span className="t-12 t-2 ell grow">
              <Trans>
                <Plural value={dropped.documents} one="# document" other="# documents" />,{' '}
                {formatBytes(dropped.bytes)}, dropped by {dropped.droppedBy} <Ago at={dropped.droppedAt} />.
                Restorable for <Countdown at={dropped.keepUntil} />.
              </Trans>
            </span>
            <Button
              small
              icon="undo"
              disabled={deniedReason !== null}
              title={deniedReason ?? undefined}
              aria-label={t`Restore ${dropped.name}…`}
              onClick={() => setRestoring(dropped)}
            >{t`Restore…`}</Button>
            <Button
              variant="ghost"
              small
              className="danger-text"
              disabled={deniedReason !== null}
              title={deniedReason ?? undefined}
              aria-label={t`Purge ${dropped.name}…`}
              onClick={() => setPurging(dropped)}
            >{t`Purge…`}</Button>
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
        title={t`Purge this dropped collection now?`}
        name={purging?.name ?? ''}
        of="collection"
        button={t`Purge collection`}
        purge={async () => {
          if (purging !== null) await client.collections.purge({ id: purging.id });
        }}
        onClose={() => {
          setPurging(null);
          void refetch();
        }}
      >
        <p className="wrap">
          <Trans>
            <Plural value={purging?.documents ?? 0} one="# document" other="# documents" /> of {purging?.name}{' '}
            will be erased.
          </Trans>
        </p>
      </PurgeDialog>
    </section>
  );
}
