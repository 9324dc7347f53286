import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge } from '@mantine/core';
import { useLive, useStoreSpace } from '../../../api.ts';
import { IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import {
  toActivity,
  toHealth,
  toOverview,
  toSettings,
  usePlace,
} from '../../../components/navigation/location.ts';
import { formatBytes, formatCount } from '../../../i18n/format.ts';
import icon from '../../../theme/icon.svg';
import { RailConnections } from './RailConnections.tsx';
import classes from './rail.module.css';
import { toggleRail } from './rail-fold.ts';

interface RailProps {
  onNewCollection: () => void;
  /** Number of findings; 0 is not shown. */
  findings: number;
}

/** Sidebar: pages, connections, and the collections of the current connection. */
export function Rail({ onNewCollection, findings }: RailProps) {
  const { path } = usePlace();
  const [page = 'overview'] = path;
  return (
    <aside className="rail" aria-label={t`Navigation`}>
      <div className={classes.railTop}>
        <img className={classes.mark} src={icon} alt="" />
        <b className="t-semi grow">Sandglass</b>
        <IconButton icon="window" label={t`Collapse the sidebar`} shortcut="Ctrl B" onClick={toggleRail} />
      </div>
      <div className="rail-body">
        <nav className={classes.nav} aria-label={t`Pages`}>
          <a href={toOverview()} aria-current={page === 'overview' ? 'page' : undefined}>
            <Icon name="overview" />
            <Trans>Overview</Trans>
          </a>
          <a href={toActivity()} aria-current={page === 'activity' ? 'page' : undefined}>
            <Icon name="activity" />
            <Trans>Activity</Trans>
          </a>
          <a href={toHealth()} aria-current={page === 'health' ? 'page' : undefined}>
            <Icon name="health" />
            <Trans>Health</Trans>
            {findings > 0 && (
              <Badge variant="count" title={plural(findings, { one: '# finding', other: '# findings' })}>
                {findings}
                <span className="visually-hidden">
                  {' '}
                  {plural(findings, { one: 'finding', other: 'findings' })}
                </span>
              </Badge>
            )}
          </a>
          <a href={toSettings()} aria-current={page === 'settings' ? 'page' : undefined}>
            <Icon name="gear" />
            <Trans>Settings</Trans>
          </a>
        </nav>
        <RailConnections onNewCollection={onNewCollection} />
      </div>
      <Foot />
    </aside>
  );
}

function Foot() {
  const revision = useLive(state => state.revision);
  const opened = useLive(state => state.store?.bytes ?? 0);
  const isRemote = useLive(({ remote }) => remote !== null);
  const bytes = useStoreSpace()?.totalBytes ?? opened;
  return (
    <div className="rail-foot">
      <span>
        <Trans>Revision {formatCount(revision)}</Trans>
      </span>
      <span className="spacer" />
      {!isRemote && (
        <span title={t`Size of the store on the disk: its file and its write-ahead log.`}>
          {formatBytes(bytes)}
        </span>
      )}
    </div>
  );
}
