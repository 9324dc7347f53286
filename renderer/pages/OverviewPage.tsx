import { t } from '@lingui/core/macro';
import { useLive } from '../api.ts';
import { Boundary } from '../components/failure/Boundary.tsx';
import { CollectionsTable } from '../features/collections/CollectionsTable.tsx';
import classes from '../features/collections/collections.module.css';
import { Queue } from '../features/collections/Queue.tsx';
import { StoreFigures } from '../features/collections/StoreFigures.tsx';
import { useSwatches } from '../features/collections/use-swatches.ts';
import { FindingsBrief } from '../features/health/FindingsBrief.tsx';
import { ServerFindings } from '../features/health/ServerFindings.tsx';
import { LiveTimeline } from '../features/timeline/LiveTimeline.tsx';
import { storeMessage } from './timeline-messages.tsx';

/** Overview of all collections. */
export function OverviewPage() {
  const colourOf = useSwatches(null);
  const isRemote = useLive(({ store }) => store?.remote != null);
  return (
    <main className="page overview">
      <h1 className="visually-hidden">{t`Overview`}</h1>
      <Boundary name={t`The figures`}>
        <StoreFigures />
      </Boundary>
      <Boundary name={t`The timeline`}>
        <LiveTimeline collection={null} message={storeMessage} />
      </Boundary>
      <div className={`lower ${classes.withFindings}`}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must take the focus */}
        <section className="panel scroll" aria-label={t`Collections`} tabIndex={0}>
          <Boundary name={t`The table of collections`}>
            <CollectionsTable />
          </Boundary>
        </section>
        <Boundary name={t`The next documents to expire`}>
          <Queue collection={null} colourOf={colourOf} />
        </Boundary>
        <Boundary name={t`Findings`}>{isRemote ? <ServerFindings /> : <FindingsBrief />}</Boundary>
      </div>
    </main>
  );
}
