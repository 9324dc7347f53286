import { type ConnectionRecord, HOME_CONNECTION } from '../../../shared/contract/connections.ts';
import { formatBytes } from '../../../shared/model/format.ts';
import { Button, buttonClass, IconButton } from '../../components/controls/Button.tsx';
import { goTo, toConnection, toConnections } from '../../components/navigation/location.ts';
import { Menu } from '../../components/overlays/Menu.tsx';
import { ConnectionMark } from '../../components/status/ConnectionMark.tsx';
import { ProductionTag } from '../../components/status/ProductionTag.tsx';
import { ConnectionState } from './ConnectionState.tsx';
import { closeConnection, openConnection } from './connection-actions.ts';

interface ConnectionRowProps {
  record: ConnectionRecord;
  isHere: boolean;
  /** Undefined: not known. */
  bytes: number | undefined;
  mayChange: boolean;
}

export function ConnectionRow({ record, isHere, bytes, mayChange }: ConnectionRowProps) {
  const { id, name, target, environment, state, colour } = record;
  return (
    <>
      <tr aria-current={isHere ? 'true' : undefined} className={isHere ? 'sel' : undefined}>
        <td title={name}>
          <ConnectionMark colour={colour} />
          <a className="name t-semi" href={toConnection(id)}>
            {name}
          </a>
          {id === HOME_CONNECTION && <span className="t-3"> home</span>}
        </td>
        <td>{environment === 'production' ? <ProductionTag /> : <span className="t-2">Development</span>}</td>
        <td>
          <ConnectionState state={state} readOnly={record.readOnly} />
        </td>
        <td className="mono file" title={target.file}>
          <bdi>{target.file}</bdi>
        </td>
        <td className="num t-2">{bytes === undefined ? '' : formatBytes(bytes)}</td>
        <td className="num">{mayChange && <Actions record={record} isHere={isHere} />}</td>
      </tr>
      {state.is === 'failed' && (
        <tr className="why">
          <td colSpan={6} className="t-12">
            <span className="wrap">{state.message}</span>{' '}
            <span className="t-3">It is retried automatically.</span>
          </td>
        </tr>
      )}
    </>
  );
}

function Actions({ record, isHere }: { record: ConnectionRecord; isHere: boolean }) {
  const { id, name, state } = record;
  const isHome = id === HOME_CONNECTION;
  const isAway = state.is === 'closed' || state.is === 'failed';
  return (
    <span className="row tight end">
      {isAway ? (
        <Button small onClick={() => void openConnection(record)} aria-label={`Open ${name} again`}>
          Open
        </Button>
      ) : (
        !isHere && (
          <a className={buttonClass({ small: true, variant: 'ghost' })} href={toConnection(id)}>
            Go there<span className="sr">, to {name}</span>
          </a>
        )
      )}
      <Menu
        target={<IconButton icon="more" label={`More for ${name}`} />}
        groups={[
          [
            { label: 'Edit…', icon: 'edit', onSelect: () => goTo(toConnections({ edit: id })) },
            ...(isHome || isAway
              ? []
              : [{ label: 'Close', icon: 'off' as const, onSelect: () => void closeConnection(record) }]),
          ],
          isHome
            ? []
            : [
                {
                  label: 'Remove…',
                  icon: 'trash',
                  danger: true,
                  onSelect: () => goTo(toConnections({ remove: id })),
                },
              ],
        ]}
      />
    </span>
  );
}
