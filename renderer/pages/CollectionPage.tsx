import { t } from '@lingui/core/macro';
import { type ReactNode, Suspense } from 'react';
import type { CollectionSummary } from '../../shared/contract/collections.ts';
import type { Preview } from '../../shared/contract/ttl-indexes.ts';
import { useLive, useMissing } from '../api.ts';
import { Boundary } from '../components/failure/Boundary.tsx';
import { EmptyState } from '../components/status/EmptyState.tsx';
import { PartialCollection } from '../features/import/PartialCollection.tsx';
import { LeaseSection } from '../features/leases/LeaseSection.tsx';
import { mediaQueryStore } from '../state/media-query.ts';
import { useStore } from '../state/store.ts';
import { CollectionHead, type Tab } from './CollectionHead.tsx';
import { CollectionTimeline, TimelineOf } from './CollectionTimeline.tsx';
import { exportFrom } from './commands/exporting.ts';
import { ForecastTimeline } from './ForecastTimeline.tsx';
import { CreateIndexPage, DocumentsView, ExpiredView, IndexDetail, IndexList } from './lazy-pages.tsx';
import { NoSuchCollection } from './NotFound.tsx';

/** Whether the window has room for the forecast below the TTL indexes. */
const isLarge = mediaQueryStore('(min-width: 1600px) and (min-height: 900px)');

const forecast = (preview: Preview) => <ForecastTimeline preview={preview} />;

/** One collection. `rest`: path after its name, which is the tab and its parameters. */
export function CollectionPage({ name, rest }: { name: string; rest: readonly string[] }) {
  const summary = useLive(({ collections }) => collections?.get(name));
  const withoutIndexes = useMissing('ttlIndexes');
  const withoutLeases = useMissing('leases');
  const hasRoom = useStore(isLarge);
  const [first, second, third] = rest;
  if (summary === undefined) return <NoSuchCollection name={name} />;
  if (first === 'ttl-indexes' && withoutIndexes !== null) {
    return (
      <Tabbed summary={summary} tab="ttl-indexes">
        <EmptyState icon="glass" title={t`No TTL indexes here`}>
          {withoutIndexes}
        </EmptyState>
      </Tabbed>
    );
  }
  if (first === 'ttl-indexes' && (second === 'new' || (second === 'edit' && third !== undefined))) {
    return (
      <main className="page whole">
        <h1 className="visually-hidden">
          {second === 'new' ? t`New TTL index on ${name}` : t`TTL index ${third ?? ''} of ${name}`}
        </h1>
        <CreateIndexPage
          collection={name}
          renderForecast={forecast}
          {...(second === 'edit' && third !== undefined && { index: third })}
        />
      </main>
    );
  }
  if (first === 'documents') {
    return (
      <Tabbed summary={summary} tab="documents">
        <DocumentsView
          key={name}
          collection={name}
          onExport={ids => exportFrom(name, ids)}
          renderDetails={id => withoutLeases === null && <LeaseSection key={id} collection={name} id={id} />}
        />
      </Tabbed>
    );
  }
  if (first === 'ttl-indexes') {
    return (
      <Tabbed summary={summary} tab="ttl-indexes">
        {second === 'index' && third !== undefined ? (
          <IndexDetail key={`${name}/${third}`} collection={name} name={third} />
        ) : (
          <IndexList key={name} collection={name} />
        )}
        {hasRoom && summary.withDeadline > 0 && (
          <Boundary name={t`The timeline`}>
            <TimelineOf summary={summary} />
          </Boundary>
        )}
      </Tabbed>
    );
  }
  if (first === 'activity') {
    return (
      <Tabbed summary={summary} tab="activity">
        <ExpiredView key={name} here={name} />
      </Tabbed>
    );
  }
  return (
    <Tabbed summary={summary} tab="timeline">
      <CollectionTimeline key={name} summary={summary} />
    </Tabbed>
  );
}

/** Lists and editors fill the page; other tabs scroll. */
function Tabbed({ summary, tab, children }: { summary: CollectionSummary; tab: Tab; children: ReactNode }) {
  return (
    <main className={tab === 'documents' || tab === 'activity' ? 'page whole' : 'page'}>
      <h1 className="visually-hidden">{summary.name}</h1>
      <CollectionHead summary={summary} tab={tab} />
      <PartialCollection collection={summary.name} />
      {/* The tabs stay visible while the code of one is loaded. */}
      <Suspense>{children}</Suspense>
    </main>
  );
}
