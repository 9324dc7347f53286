import { t } from '@lingui/core/macro';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect } from 'react';
import { queryClient, useAway, useCurrentConnection, useLive, useRefusal } from './api.ts';
import { Boundary } from './components/failure/Boundary.tsx';
import { usePlace } from './components/navigation/location.ts';
import { nameTab } from './components/navigation/tabs.ts';
import { ConnectionAway } from './features/connections/ConnectionAway.tsx';
import { NeverConnected } from './features/frame/banners/NeverConnected.tsx';
import { CollectionPage } from './pages/CollectionPage.tsx';
import { useSampleDataLoading } from './pages/commands/sample-data.ts';
import { Frame } from './pages/Frame.tsx';
import { ActivityPage, ConnectionsPage, HealthPage, SettingsPage } from './pages/lazy-pages.tsx';
import { NoSuchPage } from './pages/NotFound.tsx';
import { OverviewPage } from './pages/OverviewPage.tsx';
import { StartPage } from './pages/StartPage.tsx';
import { MantineTheme } from './theme/MantineTheme.tsx';

export function App() {
  return (
    <Boundary name={t`The window`} as="page">
      <QueryClientProvider client={queryClient}>
        <MantineTheme>
          <Window />
        </MantineTheme>
      </QueryClientProvider>
    </Boundary>
  );
}

/** Titles of pages about the whole store. */
const TITLES: Readonly<Record<string, string>> = {
  activity: t`Activity`,
  health: t`Health`,
  settings: t`Settings`,
  connections: t`Connections`,
};

function Window() {
  const known = useLive(state => state.collections !== null);
  const empty = useLive(state => state.collections?.size === 0);
  const mayWrite = useRefusal('documents.write') === null;
  const loading = useSampleDataLoading();
  const { path } = usePlace();
  const [page = 'overview', name] = path;
  const record = useCurrentConnection();
  const isListed = useLive(({ connections }) => connections !== null);
  const isAlone = useLive(({ connections }) => (connections?.length ?? 0) <= 1);
  const isAway = useAway();
  const title = page === 'collections' ? name : (TITLES[page] ?? t`Overview`);
  useTitle(isAlone ? title : [title, record?.name].filter(Boolean).join(' · '));
  if (page === 'connections' && isListed) {
    return (
      <Frame bare={false}>
        <PageBoundary name={t`Connections`}>
          <ConnectionsPage path={path.slice(1)} />
        </PageBoundary>
      </Frame>
    );
  }
  if (isAway) {
    return (
      <Frame bare={false}>
        <main className="page centred">
          <h1 className="visually-hidden">{record?.name ?? t`No such connection`}</h1>
          <ConnectionAway record={record} />
        </main>
      </Frame>
    );
  }
  // The state of the store is unknown until the engine's first update.
  if (!known) {
    return (
      <Frame bare={!isListed}>
        <main className="page centred" aria-busy="true">
          <NeverConnected />
        </main>
      </Frame>
    );
  }
  if (page === 'overview' && mayWrite && (empty || loading === 'first run')) {
    return (
      <Frame bare={isAlone}>
        <PageBoundary name={t`The start page`}>
          <StartPage isFirst={isAlone} />
        </PageBoundary>
      </Frame>
    );
  }
  return (
    <Frame bare={false}>
      <PageBoundary name={title ?? t`The page`}>
        {page === 'collections' && name !== undefined ? (
          <CollectionPage name={name} rest={path.slice(2)} />
        ) : page === 'activity' ? (
          <ActivityPage tab={name} />
        ) : page === 'health' ? (
          <HealthPage />
        ) : page === 'settings' ? (
          <SettingsPage name={name} />
        ) : page === 'overview' ? (
          <OverviewPage />
        ) : (
          <NoSuchPage />
        )}
      </PageBoundary>
    </Frame>
  );
}

/** After an error the page is rendered again when the address changes. */
function PageBoundary({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Boundary name={name} as="page" resetKeys={[usePlace()]}>
      <Suspense fallback={<Fetched />}>{children}</Suspense>
    </Boundary>
  );
}

/** Shown while the code of a page is loading. */
function Fetched() {
  return <main className="page" aria-busy="true" />;
}

/** Sets the window's title, shown in the taskbar and the browser history. */
function useTitle(place: string | undefined): void {
  useEffect(() => {
    nameTab(place ?? 'Sandglass');
    document.title = place === undefined ? 'Sandglass' : t`${place} · Sandglass`;
  }, [place]);
}
