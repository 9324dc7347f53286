import { t } from '@lingui/core/macro';
import { type ReactNode, Suspense } from 'react';
import { onConnectionChange, useAway, useLive, useRefusal } from '../api.ts';
import { Boundary } from '../components/failure/Boundary.tsx';
import { goTo, toCollection, usePlace } from '../components/navigation/location.ts';
import { Toasts } from '../components/overlays/Toasts.tsx';
import { RemovalReports } from '../features/activity/restore/RemovalReports.tsx';
import { NewCollectionDialog } from '../features/collections/NewCollectionDialog.tsx';
import { EffectQuestion } from '../features/connections/EffectQuestion.tsx';
import { WriteQuestion } from '../features/connections/WriteQuestion.tsx';
import { ExportDialog } from '../features/export/ExportDialog.tsx';
import { requestExport } from '../features/export/export-request.ts';
import { ConnectionBanner } from '../features/frame/banners/ConnectionBanner.tsx';
import { FollowerBanner } from '../features/frame/banners/FollowerBanner.tsx';
import { RemoteBanner } from '../features/frame/banners/RemoteBanner.tsx';
import { Palette } from '../features/frame/palette/Palette.tsx';
import { Rail } from '../features/frame/rail/Rail.tsx';
import { RailCover } from '../features/frame/rail/RailCover.tsx';
import { useRailCovers, useRailFolded } from '../features/frame/rail/rail-fold.ts';
import { ShortcutList } from '../features/frame/ShortcutList.tsx';
import { TabStrip } from '../features/frame/tabs/TabStrip.tsx';
import { TopBar } from '../features/frame/top-bar/TopBar.tsx';
import { TourStop } from '../features/frame/tour/TourStop.tsx';
import { useFindings, useFindingsWatch } from '../features/health/use-findings.ts';
import { DropTarget } from '../features/import/DropTarget.tsx';
import { requestImport, useImportRequest } from '../features/import/file/import-request.ts';
import { JobCards } from '../features/jobs/JobCards.tsx';
import { CollectionPauseBanner } from '../features/reaper/CollectionPauseBanner.tsx';
import { HoldBanners } from '../features/reaper/HoldBanners.tsx';
import { IndexPauseBanner } from '../features/reaper/IndexPauseBanner.tsx';
import { ReaperBanner } from '../features/reaper/ReaperBanner.tsx';
import { ReaperButton } from '../features/reaper/ReaperButton.tsx';
import { closeDialog, openDialog, useOpenDialog } from './commands/dialogs.ts';
import { useAllCommands } from './commands/use-all-commands.ts';
import { ImportDialog } from './lazy-pages.tsx';
import { useFrameShortcuts } from './use-frame-shortcuts.ts';

const open = (collection: string) => goTo(toCollection(collection));

// Closes requests that were made for the former store.
onConnectionChange(() => {
  requestImport(null);
  requestExport(null);
  closeDialog();
});

/** Refreshes the findings, also while the sidebar is collapsed. */
function FindingsWatch() {
  useFindingsWatch();
  return null;
}

function CountingRail() {
  const { shown } = useFindings();
  return <Rail onNewCollection={() => openDialog('new collection')} findings={shown?.length ?? 0} />;
}

/** Sidebar, top bar, banners and dialogs around each page. `bare`: the start page, without navigation. */
export function Frame({ bare, children }: { bare: boolean; children: ReactNode }) {
  const dialog = useOpenDialog();
  const importing = useImportRequest() !== null;
  const folded = useRailFolded();
  const covers = useRailCovers();
  const isAway = useAway();
  const known = useLive(({ collections }) => collections !== null) && !isAway;
  const lost = useLive(({ connection }) => connection.is === 'lost');
  const isRemote = useLive(({ store }) => store?.remote != null);
  const silent = useLive(({ store }) => store?.leader?.staleSince != null);
  const mayWrite = useRefusal('imports.start') === null;
  useFrameShortcuts();
  const { path } = usePlace();
  const here = path[0] === 'collections' ? path[1] : undefined;
  const railed = !bare && !folded;
  return (
    <div className="app" data-railed={railed} data-stale={!isAway && (lost || silent)}>
      {!bare && known && !isRemote && <FindingsWatch />}
      {railed && (
        <Boundary name={t`The navigation`}>
          <CountingRail />
        </Boundary>
      )}
      {railed && covers && <RailCover />}
      <div className="main">
        <Boundary name={t`The top bar`}>
          <TopBar
            bare={bare}
            onSearch={() => openDialog('palette')}
            reaper={
              known ? (
                <TourStop stop="reaper">
                  <div className="row tight">
                    <ReaperButton />
                  </div>
                </TourStop>
              ) : null
            }
          />
        </Boundary>
        <Boundary name={t`The tabs`}>
          <TabStrip />
        </Boundary>
        <div className="banners">
          <Boundary name={t`Messages of the store`}>
            {!isAway && <ConnectionBanner />}
            {!lost && <FollowerBanner />}
            {!lost && !isAway && <RemoteBanner />}
            {!lost && <ReaperBanner />}
            {!lost && <HoldBanners here={here ?? null} />}
            {!lost && here !== undefined && <CollectionPauseBanner collection={here} />}
            {!lost && here !== undefined && <IndexPauseBanner collection={here} />}
          </Boundary>
        </div>
        {children}
        <div className="corner">
          <JobCards hidden={importing ? 'import' : null} />
          <Toasts />
        </div>
      </div>
      <Boundary name={t`The dialog`} as="dialog">
        <Palette
          opened={dialog === 'palette'}
          onClose={closeDialog}
          useCommands={useAllCommands}
          onShortcuts={() => openDialog('shortcuts')}
        />
        <ShortcutList opened={dialog === 'shortcuts'} onClose={closeDialog} />
        <NewCollectionDialog opened={dialog === 'new collection'} onClose={closeDialog} onCreated={open} />
        <Suspense>{importing && <ImportDialog onOpenCollection={open} />}</Suspense>
        <ExportDialog />
        <WriteQuestion />
        <EffectQuestion />
        <RemovalReports />
        {mayWrite && known && <DropTarget />}
      </Boundary>
    </div>
  );
}
