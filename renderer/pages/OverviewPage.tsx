import { CollectionsTable } from '../features/collections/CollectionsTable.tsx';
import { Queue } from '../features/collections/Queue.tsx';
import { StoreFigures } from '../features/collections/StoreFigures.tsx';
import { useSwatches } from '../features/collections/use-swatches.ts';
import { FindingsBrief } from '../features/health/FindingsBrief.tsx';
import { LiveTimeline } from '../features/timeline/LiveTimeline.tsx';
import { storeMessage } from './timeline-messages.tsx';

/** Overview of all collections. */
export function OverviewPage() {
  const colourOf = useSwatches(null);
  return (
    <main className="page overview">
      <h1 className="sr">Overview</h1>
      <StoreFigures />
      <LiveTimeline collection={null} message={storeMessage} />
      <div className="lower with-findings">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must take the focus */}
        <section className="panel scroll" aria-label="Collections" tabIndex={0}>
          <CollectionsTable />
        </section>
        <Queue collection={null} colourOf={colourOf} />
        <FindingsBrief />
      </div>
    </main>
  );
}
