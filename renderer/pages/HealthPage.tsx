import { t } from '@lingui/core/macro';
import { useLive, useMissing } from '../api.ts';
import { usePlace } from '../components/navigation/location.ts';
import { CollectionFigures } from '../features/collections/CollectionFigures.tsx';
import { HealthView } from '../features/health/HealthView.tsx';
import { ServerFindings } from '../features/health/ServerFindings.tsx';
import { LeasesPanel } from '../features/leases/LeasesPanel.tsx';
import { NoSuchCollection } from './NotFound.tsx';

/** Charts and findings of the store, or of the collection in the URL. */
export function HealthPage() {
  const collection = usePlace().query.get('collection');
  const summary = useLive(({ collections }) =>
    collection === null ? undefined : collections?.get(collection),
  );
  const withoutSeries = useMissing('series');
  const withoutLeases = useMissing('leases');
  if (collection !== null && summary === undefined) return <NoSuchCollection name={collection} />;
  return (
    <main className="page">
      <h1 className="visually-hidden">{collection === null ? t`Health` : t`Health of ${collection}`}</h1>
      {summary !== undefined && <CollectionFigures summary={summary} />}
      {withoutSeries === null ? (
        <HealthView key={collection} collection={collection} />
      ) : (
        <>
          <ServerFindings />
          <p className="t-12 t-3">{withoutSeries}</p>
        </>
      )}
      {withoutLeases === null && collection === null && <LeasesPanel />}
    </main>
  );
}
