import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ConnectionRecord, HOME_CONNECTION } from '../../../shared/contract/connections.ts';
import { Button, ButtonLink, IconButton } from '../../components/controls/Button.tsx';
import { goTo, toConnection, toConnections } from '../../components/navigation/location.ts';
import { Menu } from '../../components/overlays/Menu.tsx';
import { closeConnection, openConnection } from './connection-actions.ts';

export function ConnectionActions({ record, isHere }: { record: ConnectionRecord; isHere: boolean }) {
  const { id, name, state } = record;
  const isHome = id === HOME_CONNECTION;
  const isAway = state.is === 'closed' || state.is === 'failed';
  return (
    <span className="row tight end">
      {isAway ? (
        <Button
          small
          onClick={() => void openConnection(record)}
          aria-label={t`Open ${name} again`}
        >{t`Open`}</Button>
      ) : (
        !isHere && (
          <ButtonLink small variant="ghost" href={toConnection(id)}>
            <Trans>
              Go there<span className="visually-hidden">, to {name}</span>
            </Trans>
          </ButtonLink>
        )
      )}
      <Menu
        target={<IconButton icon="more" label={t`More for ${name}`} />}
        groups={[
          [
            { label: t`Edit…`, icon: 'edit', onSelect: () => goTo(toConnections({ edit: id })) },
            ...(isHome || isAway
              ? []
              : [{ label: t`Close`, icon: 'off' as const, onSelect: () => void closeConnection(record) }]),
          ],
          isHome
            ? []
            : [
                {
                  label: t`Remove…`,
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
