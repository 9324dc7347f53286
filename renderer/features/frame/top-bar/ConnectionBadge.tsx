import { plural, t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import {
  distrust,
  TRUSTED_MS,
  trustedConnections,
  trustedFor,
  useCurrentConnection,
  useLive,
} from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Menu } from '../../../components/overlays/Menu.tsx';
import { ProductionTag } from '../../../components/status/ProductionTag.tsx';
import { useAtTick } from '../../../components/time/clock.ts';
import { useStore } from '../../../state/store.ts';

const MINUTE_MS = 60_000;

/** Badge of a production or read-only connection, shown on every page. */
export function ConnectionBadge() {
  const record = useCurrentConnection();
  const isReadOnly = useLive(({ store }) => store?.readOnly === true);
  if (record === undefined) return null;
  return (
    <>
      {record.environment === 'production' && <Production id={record.id} name={record.name} />}
      {isReadOnly && (
        <Badge
          variant="tag"
          leftSection={<Icon name="lock" size={12} />}
          title={t`Read-only: the engine neither writes nor removes documents`}
        >{t`Read-only`}</Badge>
      )}
    </>
  );
}

function Production({ id, name }: { id: string; name: string }) {
  // The confirmation period ends at a tick of the clock, or by a click, which changes the store.
  useStore(trustedConnections);
  const left = useAtTick(() => Math.ceil((trustedFor(id) ?? 0) / MINUTE_MS));
  if (left === 0) return <ProductionTag />;
  return (
    <Menu
      align="start"
      note={t`Changes to ${name} need no confirmation for ${left} more ${plural(left, { one: 'minute', other: 'minutes' })} of ${TRUSTED_MS / MINUTE_MS}.`}
      target={
        <Badge
          component="button"
          type="button"
          variant="production"
          leftSection={<Icon name="warn" size={12} />}
          title={t`Changes need no confirmation`}
        >{t`Production, no confirmation`}</Badge>
      }
      groups={[[{ label: t`Confirm changes again`, icon: 'lock', onSelect: () => distrust(id) }]]}
    />
  );
}
