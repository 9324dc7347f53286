import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMissing } from '../api.ts';
import { toActivity, usePlace } from '../components/navigation/location.ts';
import classes from '../features/activity/activity.module.css';
import { ExpiredView } from '../features/activity/expired-view/ExpiredView.tsx';
import { ExportButton } from '../features/activity/export/ExportButton.tsx';
import { FeedView } from '../features/activity/feed/FeedView.tsx';
import { PassesView } from '../features/activity/passes/PassesView.tsx';
import { NoSuchPage } from './NotFound.tsx';

/** Live feed, expired documents and passes. */
export function ActivityPage({ tab: asked = 'feed' }: { tab: string | undefined }) {
  const { query } = usePlace();
  const hasPasses = useMissing('reaper') === null;
  const hasFeed = useMissing('changeLog') === null;
  const isListed = useMissing('removals') === null;
  const tab = (asked === 'feed' && !hasFeed) || (asked === 'passes' && !hasPasses) ? 'expired' : asked;
  if (tab !== 'feed' && tab !== 'expired' && tab !== 'passes') return <NoSuchPage />;
  const collection = query.get('collection');
  const link = (to: typeof tab) => ({
    href: toActivity(to, { collection }),
    'aria-current': to === tab ? ('page' as const) : undefined,
  });
  return (
    <main className="page whole">
      <h1 className="visually-hidden">{t`Activity`}</h1>
      <div className={`head ${classes.activityHead}`}>
        <nav className="tabs" aria-label={t`Activity`}>
          {hasFeed && <a {...link('feed')}>{t`Live feed`}</a>}
          <a {...link('expired')}>{t`Expired`}</a>
          {hasPasses && (
            <a {...link('passes')}>
              <Trans>
                Passes <span className="t-3">90 days</span>
              </Trans>
            </a>
          )}
        </nav>
        {(tab === 'passes' || (tab === 'expired' && isListed)) && (
          <div className="acts">
            <ExportButton tab={tab} />
          </div>
        )}
      </div>
      {tab === 'feed' && <FeedView />}
      {tab === 'expired' && <ExpiredView />}
      {tab === 'passes' && <PassesView />}
    </main>
  );
}
