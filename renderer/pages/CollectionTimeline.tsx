import { t } from '@lingui/core/macro';
import type { CollectionSummary } from '../../shared/contract/collections.ts';
import { engineNow, useMissing } from '../api.ts';
import { Boundary } from '../components/failure/Boundary.tsx';
import { goTo, toCollection } from '../components/navigation/location.ts';
import { CollectionFigures } from '../features/collections/CollectionFigures.tsx';
import { Queue } from '../features/collections/Queue.tsx';
import { useSwatches } from '../features/collections/use-swatches.ts';
import { HealthStrip } from '../features/health/FindingsBrief.tsx';
import { LiveTimeline } from '../features/timeline/LiveTimeline.tsx';
import { IndexSummary } from '../features/ttl-indexes/list/IndexSummary.tsx';
import { collectionMessage } from './timeline-messages.tsx';

/** The timeline of a collection; a bar opens its documents, expired or not. */
export function TimelineOf({ summary }: { summary: CollectionSummary }) {
  const { name } = summary;
  return (
    <LiveTimeline
      collection={name}
      onOpenBucket={({ fromAt, toAt }) => {
        const [from, to] = [Math.floor(fromAt), Math.ceil(toAt)];
        goTo(
          toAt <= engineNow()
            ? toCollection(name, 'activity', { from, to, cause: 'expired' })
            : toCollection(name, 'documents', { dueFrom: from, dueTo: to }),
        );
      }}
      message={(answer, zoomTo) => collectionMessage(summary, answer, zoomTo)}
    />
  );
}

/** First tab of a collection: figures, timeline and the next documents to expire. */
export function CollectionTimeline({ summary }: { summary: CollectionSummary }) {
  const { name } = summary;
  const withoutIndexes = useMissing('ttlIndexes');
  const colourOf = useSwatches(name);
  const silent = summary.ttlIndexes === 0 && summary.withDeadline === 0;
  return (
    <>
      <Boundary name={t`The figures`}>
        {!silent && <CollectionFigures summary={summary} />}
        {withoutIndexes === null && <HealthStrip collection={name} />}
      </Boundary>
      <Boundary name={t`The timeline`}>
        <TimelineOf summary={summary} />
      </Boundary>
      {!silent && (
        <div className="lower">
          {withoutIndexes === null && (
            <Boundary name={t`The TTL indexes`}>
              <IndexSummary collection={name} colourOf={colourOf} />
            </Boundary>
          )}
          <Boundary name={t`The next documents to expire`}>
            <Queue collection={name} colourOf={colourOf} />
          </Boundary>
        </div>
      )}
    </>
  );
}
