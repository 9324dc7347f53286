import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Permission } from '../../../shared/contract/permissions.ts';
import type { Zone } from '../../../shared/model/zone.ts';
import { client, engineNow, problemOf, useChange } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { CopyButton } from '../../components/controls/CopyButton.tsx';
import { focusOnMount } from '../../components/controls/focus.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { Segmented } from '../../components/controls/Segmented.tsx';
import { useAtTick, useZone } from '../../components/time/clock.ts';
import { InstantField } from '../../components/time/InstantField.tsx';
import { parseTypedInstant } from '../../components/time/typed-instant.ts';
import { formatNameProblem } from '../../i18n/name-problem.ts';
import classes from './settings.module.css';

const PERMISSIONS: readonly { value: Permission; label: string; means: string }[] = [
  { value: 'read', label: t`Read`, means: t`Read everything, change nothing` },
  { value: 'write', label: t`Write`, means: t`Also documents and their own expirations` },
  {
    value: 'configure',
    label: t`Configure`,
    means: t`Also indexes, the reaper, restoring, backups and tokens`,
  },
  { value: 'follow', label: t`Follow`, means: t`Mirror this store from another host, and nothing else` },
];

const DAY_MS = 86_400_000;
/** Lifetimes of a new token. */
const ENDS = [
  { value: 'never', label: t`No end`, means: t`Until it is revoked`, days: null },
  { value: '30', label: '30 d', means: t`Refused after 30 days`, days: 30 },
  { value: '90', label: '90 d', means: t`Refused after 90 days`, days: 90 },
  { value: '365', label: '1 y', means: t`Refused after 365 days`, days: 365 },
  { value: 'at', label: t`At…`, means: t`Refused from a moment on`, days: null },
] as const;
type End = (typeof ENDS)[number]['value'];

/** Returns null for no end; undefined for text that is not a later instant. */
function instantOf(end: End, text: string, zone: Zone): number | null | undefined {
  const now = engineNow();
  if (end === 'at') {
    const read = parseTypedInstant(text, now, zone);
    return 'at' in read && read.at > now ? read.at : undefined;
  }
  const days = ENDS.find(({ value }) => value === end)?.days ?? null;
  return days === null ? null : now + days * DAY_MS;
}

/** Creates a token and shows it once: only its hash is stored. */
export function NewToken({ onMade }: { onMade: () => void }) {
  const [name, setName] = useState('');
  const [permission, setPermission] = useState<Permission>('read');
  const [end, setEnd] = useState<End>('never');
  const [endText, setEndText] = useState('in 30 days');
  const [zone] = useZone();
  const readAt = useAtTick(at => Math.floor(at / 1000) * 1000);
  const hasEnd = instantOf(end, endText, zone) !== undefined;
  const make = useChange({
    mutationFn: (expiresAt: number | null) => client.tokens.create({ name, permission, expiresAt }),
    onSuccess: () => {
      setName('');
      onMade();
    },
  });
  const wrong =
    make.error !== null ? problemOf(make.error).message : name === '' ? null : formatNameProblem(name);
  const made = make.data;
  return (
    <>
      {made !== undefined && (
        <div className={classes.tokenMade} role="status">
          <Icon name="check" className="c-ok" />
          <div>
            <Trans>
              <b className="t-semi wrap">{made.name}</b> was created with the permission {made.permission}.
              Copy it now: it is not shown again.
            </Trans>
            <div className="row">
              <TextInput
                className="grow"
                classNames={{ input: 'mono' }}
                aria-label={t`The new token`}
                readOnly
                value={made.token}
                ref={focusOnMount}
                onFocus={event => event.currentTarget.select()}
              />
              <CopyButton text={made.token} />
            </div>
          </div>
          <Button small variant="ghost" onClick={() => make.reset()}>{t`Done`}</Button>
        </div>
      )}
      <form
        className={`${classes.line} ${classes.newToken}`}
        aria-label={t`New token`}
        onSubmit={event => {
          event.preventDefault();
          const expiresAt = instantOf(end, endText, zone);
          if (name !== '' && formatNameProblem(name) === null && expiresAt !== undefined)
            make.mutate(expiresAt);
        }}
      >
        <TextInput
          aria-label={t`Name of the new token`}
          placeholder={t`Name, such as nightly-export`}
          value={name}
          error={wrong}
          onChange={event => {
            setName(event.target.value);
            if (make.error !== null) make.reset();
          }}
        />
        <Segmented label={t`Permission`} value={permission} segments={PERMISSIONS} onChange={setPermission} />
        <Segmented label={t`Ends`} value={end} segments={ENDS} onChange={setEnd} />
        <Button
          type="submit"
          variant="primary"
          busy={make.isPending}
          disabled={name === '' || formatNameProblem(name) !== null || !hasEnd}
        >{t`Create token`}</Button>
      </form>
      {end === 'at' && (
        <InstantField
          label={t`Refused from`}
          text={endText}
          readAt={readAt}
          problem={hasEnd ? null : t`Choose a later moment.`}
          onChange={setEndText}
        />
      )}
      <p className="hint" aria-live="polite">
        {PERMISSIONS.find(({ value }) => value === permission)?.means}.{' '}
        {ENDS.find(({ value }) => value === end)?.means}.
      </p>
    </>
  );
}
