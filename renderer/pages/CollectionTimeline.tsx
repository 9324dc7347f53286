import type { CollectionSummary } from '../../shared/contract/collections.ts';
import { goTo, toCollection } from '../components/navigation/location.ts';
import { CollectionFigures } from '../features/collections/CollectionFigures.tsx';
import { Queue } from '../features/collections/Queue.tsx';
import { useSwatches } from '../features/collections/use-swatches.ts';
import { HealthStrip } from '../features/health/FindingsBrief.tsx';
import { LiveTimeline } from '../features/timeline/LiveTimeline.tsx';
import { IndexSummary } from '../features/ttl-indexes/list/IndexSummary.tsx';
import { collectionMessage } from './timeline-messages.tsx';

/** First tab of a collection: figures, timeline and the next documents to expire. */
export function CollectionTimeline({ summary }: { summary: CollectionSummary }) {
  const { name } = summary;
  const colourOf = useSwatches(name);
  const silent = summary.ttlIndexes === 0 && summary.withDeadline === 0;
  return (
    <>
      {!silent && <CollectionFigures summary={summary} />}
      <HealthStrip collection={name} />
      <LiveTimeline
        collection={name}
        onOpenBucket={({ fromAt, toAt }) =>
          goTo(toCollection(name, 'documents', { dueFrom: Math.floor(fromAt), dueTo: Math.ceil(toAt) }))
        }
        message={(answer, zoomTo) => collectionMessage(summary, answer, zoomTo)}
      />
      {!silent && (
        <div className="lower">
          <IndexSummary collection={name} colourOf={colourOf} />
          <Queue collection={name} colourOf={colourOf} />
        </div>
      )}
    </>
  );
}
