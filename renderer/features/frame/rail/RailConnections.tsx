import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { addressOf, type ConnectionRecord } from '../../../../shared/contract/connections.ts';
import { useLive, useMayConnect } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { toConnection, toConnections, usePlace } from '../../../components/navigation/location.ts';
import { ConnectionMark } from '../../../components/status/ConnectionMark.tsx';
import { ProductionTag } from '../../../components/status/ProductionTag.tsx';
import { RailCollections } from './RailCollections.tsx';
import classes from './rail.module.css';
import { railMark } from './rail-mark.ts';

/** All connections; the current one with its collections. */
export function RailConnections({ onNewCollection }: { onNewCollection: () => void }) {
  const connections = useLive(state => state.connections);
  const at = useLive(state => state.at);
  const { path } = usePlace();
  const collection = path[0] === 'collections' ? path[1] : undefined;
  // Without a list of connections, or if the URL names an unknown one, only the current store is shown.
  const others = connections ?? [];
  const isListed = others.some(({ id }) => id === at);
  const here = <RailCollections here={collection} onNewCollection={onNewCollection} />;
  return (
    <>
      {!isListed && here}
      {others.map(record => (
        <Connection key={record.id} record={record} isHere={record.id === at} isAlone={others.length === 1}>
          {record.id === at && here}
        </Connection>
      ))}
      <Add isAlone={others.length <= 1} />
    </>
  );
}

interface ConnectionProps {
  record: ConnectionRecord;
  isHere: boolean;
  isAlone: boolean;
  children: ReactNode;
}

function Connection({ record, isHere, isAlone, children }: ConnectionProps) {
  const { id, name, target, colour } = record;
  return (
    <section className={classes.connection} data-here={isHere} aria-label={name}>
      <a
        className={`${classes.connectionHead} ${isHere ? '' : classes.folded}`}
        href={toConnection(id)}
        title={addressOf(target)}
        aria-current={isHere || undefined}
      >
        <ConnectionMark colour={colour} />
        <span className={`${classes.name} ell`}>{name}</span>
        <Kind record={record} isAlone={isAlone} />
      </a>
      {children}
    </section>
  );
}

/** State of a connection, for its tooltip. */
function Kind({ record, isAlone }: { record: ConnectionRecord; isAlone: boolean }) {
  const isMirror = useLive(({ at, store }) => at === record.id && store?.role === 'follower');
  const mark = railMark(record);
  return (
    <span className={classes.kind}>
      {record.environment === 'production' && <ProductionTag />}
      {record.readOnly && (
        <span title={t`Read-only: the engine neither writes nor removes documents`}>
          <Icon name="lock" size={12} label={t`Read-only`} />
        </span>
      )}
      {mark !== null && (
        <span className={`${classes.mark} ${mark.isBad ? 'c-overdue' : ''}`} title={mark.title}>
          <Icon name={mark.icon} size={12} /> {mark.label}
        </span>
      )}
      {isMirror ? t`Follower` : isAlone && 'Embedded'}
    </span>
  );
}

/** Shown if home is the only connection: a less prominent button. */
function Add({ isAlone }: { isAlone: boolean }) {
  const mayConnect = useMayConnect();
  const { path } = usePlace();
  return (
    <nav className={`${classes.nav} ${classes.railConnections}`} aria-label={t`Connections`}>
      {mayConnect && (
        <a href={toConnections('add')} className="t-3">
          <Icon name="plus" size={12} />
          <Trans>Add a connection…</Trans>
        </a>
      )}
      {!isAlone && (
        <a
          href={toConnections()}
          className="t-3"
          aria-current={path[0] === 'connections' ? 'page' : undefined}
        >
          <Icon name="conn" size={12} />
          <Trans>All connections</Trans>
        </a>
      )}
    </nav>
  );
}
