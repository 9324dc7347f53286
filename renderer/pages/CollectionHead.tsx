import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import type { CollectionSummary } from '../../shared/contract/collections.ts';
import { useLive, useMissing, useRefusal } from '../api.ts';
import { Button, ButtonLink, IconButton } from '../components/controls/Button.tsx';
import { Icon } from '../components/controls/Icon.tsx';
import {
  type CollectionTab,
  changeQuery,
  goTo,
  toCollection,
  toCreateIndex,
  toOverview,
  usePlace,
} from '../components/navigation/location.ts';
import { Menu } from '../components/overlays/Menu.tsx';
import { offerFor } from '../components/status/removal-stopped.ts';
import { DropCollectionDialog } from '../features/collections/DropCollectionDialog.tsx';
import { TourStop } from '../features/frame/tour/TourStop.tsx';
import { beginTour } from '../features/frame/tour/tour-store.ts';
import { pickFile } from '../features/import/file/import-request.ts';
import { pauseReaper, resumeReaper, runPass } from '../features/reaper/reaper-actions.ts';
import { formatCount } from '../i18n/format.ts';
import { formatRecords } from '../i18n/format-engine-words.ts';
import { exportFrom } from './commands/exporting.ts';

export type Tab = CollectionTab;

/** Tabs and actions of a collection. */
export function CollectionHead({ summary, tab }: { summary: CollectionSummary; tab: Tab }) {
  const { name, documents, ttlIndexes } = summary;
  useEffect(beginTour, []);
  const link = (to: Tab) => ({
    href: toCollection(name, to),
    'aria-current': to === tab ? ('page' as const) : undefined,
  });
  const words = useLive(({ store }) => store?.capabilities.words);
  return (
    <div className="head">
      <nav className="tabs" aria-label={name}>
        <TourStop stop="timeline">
          <a {...link('timeline')}>{t`Timeline`}</a>
        </TourStop>
        <TourStop stop="documents">
          <a {...link('documents')}>
            {formatRecords(words)} <span className="t-3">{formatCount(documents)}</span>
          </a>
        </TourStop>
        {useMissing('ttlIndexes') === null && (
          <TourStop stop="ttl-indexes">
            <a {...link('ttl-indexes')}>
              <Trans>
                TTL indexes <span className="t-3">{formatCount(ttlIndexes)}</span>
              </Trans>
            </a>
          </TourStop>
        )}
        <TourStop stop="activity">
          <a {...link('activity')}>{t`Activity`}</a>
        </TourStop>
      </nav>
      <Actions summary={summary} tab={tab} />
    </div>
  );
}

function Actions({ summary, tab }: { summary: CollectionSummary; tab: Tab }) {
  const lost = useLive(({ connection }) => connection.is === 'lost');
  const mayImport = useRefusal('imports.start') === null;
  const mayConfigure = useRefusal('collections.drop') === null;
  const mayExport = useRefusal('exports.read') === null;
  const { query } = usePlace();
  const dropping = mayConfigure && query.get('drop') === 'collection';
  const setDropping = (drops: boolean) => changeQuery({ drop: drops ? 'collection' : null });
  const collection = summary.name;
  const isOfDocuments = tab === 'documents';
  const removes = !isOfDocuments && (summary.ttlIndexes > 0 || summary.withDeadline > 0);
  return (
    <div className="acts">
      {isOfDocuments && mayImport && (
        <Button small icon="upload" disabled={lost} onClick={() => pickFile(collection)}>{t`Import…`}</Button>
      )}
      {isOfDocuments && mayExport && (
        <Button
          small
          icon="download"
          disabled={lost}
          onClick={() => exportFrom(collection)}
        >{t`Export…`}</Button>
      )}
      {removes && mayConfigure && (
        <ReaperActions collection={collection} hasDeadlines={summary.withDeadline > 0} disabled={lost} />
      )}
      {!mayConfigure ? null : lost ? (
        <Button small icon="plus" disabled>{t`Create TTL index`}</Button>
      ) : (
        <ButtonLink variant="primary" small href={toCreateIndex(collection)}>
          <Icon name="plus" size={12} />
          <Trans>Create TTL index</Trans>
        </ButtonLink>
      )}
      {mayImport && (
        <Menu
          target={<IconButton icon="more" label={t`More for ${collection}`} disabled={lost} />}
          groups={[
            [
              { label: t`Import a file…`, icon: 'file', onSelect: () => pickFile(collection) },
              { label: t`Export…`, icon: 'download', onSelect: () => exportFrom(collection) },
            ],
            mayConfigure
              ? [
                  {
                    label: t`Drop collection…`,
                    icon: 'trash',
                    danger: true,
                    onSelect: () => setDropping(true),
                  },
                ]
              : [],
          ]}
        />
      )}
      <DropCollectionDialog
        opened={dropping}
        onClose={() => setDropping(false)}
        summary={summary}
        onDropped={() => goTo(toOverview(), { replace: true })}
      />
    </div>
  );
}

/** Reaper actions of a collection. A pause of the whole store can only be ended in the top bar. */
function ReaperActions({
  collection,
  hasDeadlines,
  disabled,
}: {
  collection: string;
  /** Without an index that removes documents, a pass has no effect. */
  hasDeadlines: boolean;
  disabled: boolean;
}) {
  const reaper = useLive(state => state.reaper);
  const paused = reaper?.pausedCollections.find(one => one.collection === collection);
  const mayRun = useRefusal('reaper.run') === null;
  const offer = offerFor(collection, reaper, { kind: 'collection', isPaused: paused !== undefined });
  return (
    <>
      {offer.run && mayRun && hasDeadlines && (
        <Button
          small
          icon="next"
          disabled={disabled}
          onClick={() => void runPass({ collection })}
        >{t`Run now`}</Button>
      )}
      {offer.pause === 'pause' && (
        <Button
          small
          icon="paused"
          disabled={disabled}
          onClick={() => void pauseReaper({ collection })}
        >{t`Pause`}</Button>
      )}
      {offer.pause === 'resume' && (
        <Button
          small
          icon="running"
          disabled={disabled}
          title={paused === undefined ? undefined : t`Paused by ${paused.by}`}
          onClick={() => void resumeReaper({ collection })}
        >{t`Resume`}</Button>
      )}
    </>
  );
}
