import { t } from '@lingui/core/macro';
import { type ConnectionRecord, HOME_CONNECTION } from '../../../shared/contract/connections.ts';
import { goTo, toConnection, toConnections } from '../../components/navigation/location.ts';
import { closeConnection, openConnection } from '../../features/connections/connection-actions.ts';
import { STATE_LABEL } from '../../features/connections/format-connection.ts';
import type { Command } from '../../features/frame/palette/command.ts';

/** Actions on connections. `at`: the current one. */
export function connectionCommands(
  connections: readonly ConnectionRecord[],
  at: string,
  mayConnect: boolean,
): Command[] {
  const places = connections
    .filter(({ id }) => id !== at)
    .map(
      ({ id, name, state, environment }): Command => ({
        id: `connection ${id}`,
        group: 'Go to',
        label: name,
        detail: ['connection', environment === 'production' ? environment : null, notOpen(state)]
          .filter(Boolean)
          .join(', '),
        icon: 'conn',
        run: () => goTo(toConnection(id)),
      }),
    );
  const all: Command = {
    id: 'connections',
    group: 'Go to',
    label: t`Connections`,
    detail: t`all connections of this host`,
    icon: 'conn',
    run: () => goTo(toConnections()),
  };
  return mayConnect ? [...places, all, ...connections.flatMap(changesOf), add] : [...places, all];
}

const notOpen = (state: ConnectionRecord['state']) =>
  state.is === 'open' ? null : STATE_LABEL[state.is].word.toLowerCase();

const add: Command = {
  id: 'add connection',
  group: 'Actions',
  label: t`Add a connection…`,
  detail: t`open another store`,
  icon: 'plus',
  shortcut: 'Ctrl ⇧ O',
  run: () => goTo(toConnections('add')),
};

function changesOf(record: ConnectionRecord): Command[] {
  const { id, name, state } = record;
  const change = (what: string, icon: Command['icon'], run: () => void): Command => ({
    id: `${what} ${id}`,
    group: 'Actions',
    label: what,
    detail: name,
    icon,
    run,
  });
  const isAway = state.is === 'closed' || state.is === 'failed';
  const edit = change(t`Edit connection…`, 'edit', () => goTo(toConnections({ edit: id })));
  if (id === HOME_CONNECTION) return [edit];
  return [
    edit,
    isAway
      ? change(t`Open connection`, 'conn', () => void openConnection(record))
      : change(t`Close connection`, 'off', () => void closeConnection(record)),
    { ...change(t`Remove connection…`, 'trash', () => goTo(toConnections({ remove: id }))), destroys: true },
  ];
}
