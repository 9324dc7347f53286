import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { orpc, useLive, useLiveQuery, useMayConnect } from '../api.ts';
import { focusOnMount } from '../components/controls/focus.ts';
import { Icon } from '../components/controls/Icon.tsx';
import { Kbd } from '../components/controls/Kbd.tsx';
import { toActivity, toConnections } from '../components/navigation/location.ts';
import { pickFile } from '../features/import/file/import-request.ts';
import icon from '../theme/icon.svg';
import { openDialog } from './commands/dialogs.ts';
import { trySampleData, useSampleDataLoading } from './commands/sample-data.ts';
import { DemoTimeline } from './DemoTimeline.tsx';
import classes from './start.module.css';

/** An empty store may still have dropped collections that can be restored [X4]. */
function Dropped() {
  const { data } = useLiveQuery(orpc.collections.dropped.queryOptions(), { collection: null });
  if (data === undefined || data.length === 0) return null;
  return (
    <p className="t-12 t-2">
      <Icon name="undo" size={12} />{' '}
      <Trans>
        <Plural
          value={data.length}
          one="# dropped collection can still be restored."
          other="# dropped collections can still be restored."
        />{' '}
        <a href={toActivity('expired')}>
          Show <Plural value={data.length} one="it" other="them" />
        </a>
      </Trans>
    </p>
  );
}

/** Start page of an empty store. `isFirst`: the window has no other page yet. */
export function StartPage({ isFirst }: { isFirst: boolean }) {
  const version = useLive(state => state.store?.version ?? '');
  return (
    <main className="page start">
      <div className={classes.startBody}>
        <div className={classes.hello}>
          <img src={icon} alt="" />
          <div>
            <h1>{t`What expires next?`}</h1>
            <p>
              <Trans>
                Sandglass shows which documents expire next, which have expired, and whether removal keeps up.
              </Trans>
            </p>
          </div>
        </div>
        <DemoTimeline />
        <Ways isFirst={isFirst} />
        <Dropped />
        <p className={classes.foot}>
          <span>
            <Icon name="lock" size={12} /> <Trans>All data stays on this machine.</Trans>
          </span>
          <span className="spacer" />
          <span>
            <Trans>
              <Kbd>Ctrl K</Kbd> all commands
            </Trans>
          </span>
          <span>
            <Trans>
              <Kbd>?</Kbd> shortcuts
            </Trans>
          </span>
          <span>{version}</span>
        </p>
      </div>
    </main>
  );
}

function Ways({ isFirst }: { isFirst: boolean }) {
  const loading = useSampleDataLoading() !== null;
  const mayConnect = useMayConnect();
  const lost = useLive(({ connection }) => connection.is === 'lost');
  // Enter runs the primary action.
  return (
    <div className={classes.ways}>
      <button
        type="button"
        className={`${classes.way} ${classes.first}`}
        ref={isFirst ? focusOnMount : undefined}
        aria-busy={loading}
        disabled={loading || lost}
        onClick={() => void trySampleData('first run')}
      >
        <Icon name="glass" />
        <b className="t-semi">{loading ? t`Loading the sample data…` : t`Try the sample data`}</b>
        <Kbd>↵</Kbd>
        <span className={classes.text}>
          <Trans>A session store whose documents expire over the next minutes, hours and days.</Trans>
        </span>
      </button>
      <button type="button" className={classes.way} disabled={lost} onClick={() => pickFile(null)}>
        <Icon name="file" />
        <b className="t-semi">{t`Open a file…`}</b>
        <Kbd>Ctrl O</Kbd>
        <span className={classes.text}>
          <Trans>
            NDJSON, JSON, CSV, or the output of mongoexport and arangoexport. Or drop it anywhere in this
            window.
          </Trans>
        </span>
      </button>
      <button
        type="button"
        className={classes.way}
        disabled={lost}
        onClick={() => openDialog('new collection')}
      >
        <Icon name="plus" />
        <b className="t-semi">{t`Start empty…`}</b>
        <span />
        <span className={classes.text}>{t`A new collection, filled by REST.`}</span>
      </button>
      {mayConnect && (
        <a className={classes.way} href={toConnections('add')}>
          <Icon name="conn" />
          <b className="t-semi">{t`Connect a server…`}</b>
          <span />
          <span className={classes.text}>
            <Trans>
              Redis, PostgreSQL or etcd: see what expires next in a database that is running. Its data stays
              where it is.
            </Trans>
          </span>
        </a>
      )}
    </div>
  );
}
