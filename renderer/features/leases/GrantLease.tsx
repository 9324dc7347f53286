import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { client, problemOf, useChange } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Popover } from '../../components/overlays/Popover.tsx';
import { Note } from '../../components/status/Note.tsx';
import { DurationPicker } from '../../components/time/DurationPicker.tsx';
import { refreshLeases } from './lease-change.ts';
import { LEASE_PRESETS, readLeaseDuration } from './lease-duration.ts';
import classes from './leases.module.css';

/** Grants a lease without keys. */
export function GrantLease() {
  const [opened, setOpened] = useState(false);
  const [ttl, setTtl] = useState('1h');
  const { seconds, problem } = readLeaseDuration(ttl);
  const grant = useChange({
    mutationFn: async () => {
      await client.leases.grant({ seconds: seconds ?? 0 });
      await refreshLeases();
    },
    onSuccess: () => setOpened(false),
  });
  return (
    <Popover
      label={t`Grant a lease`}
      width={360}
      opened={opened}
      onChange={setOpened}
      target={
        <Button
          small
          icon="plus"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >{t`Grant a lease…`}</Button>
      }
    >
      <form
        className={classes.form}
        onSubmit={event => {
          event.preventDefault();
          grant.mutate();
        }}
      >
        <DurationPicker
          label={t`Duration of the lease`}
          value={ttl}
          onChange={setTtl}
          presets={LEASE_PRESETS}
          problem={problem}
          echo={t`It ends then unless it is kept alive. Keys are attached to it in their panel.`}
        />
        {grant.error !== null && <Note tone="bad">{problemOf(grant.error).message}</Note>}
        <div className="row end">
          <Button onClick={() => setOpened(false)}>{t`Cancel`}</Button>
          <Button
            type="submit"
            variant="primary"
            busy={grant.isPending}
            disabled={seconds === null}
          >{t`Grant`}</Button>
        </div>
      </form>
    </Popover>
  );
}
