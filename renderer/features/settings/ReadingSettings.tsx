import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { problemOf, useLive, useMissing, useRefusal } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { Note } from '../../components/status/Note.tsx';
import { formatCount } from '../../i18n/format.ts';
import { KeyGroups } from './KeyGroups.tsx';
import { Notifications } from './Notifications.tsx';
import { ReadLimit } from './ReadLimit.tsx';
import classes from './settings.module.css';
import { useChangeMirror, useMirrorSettings } from './use-mirror-settings.ts';

/** Settings for reading the deadlines of a remote store: pause, rate, notifications and the grouping of its keys. */
export function ReadingSettings() {
  const { data, error } = useMirrorSettings();
  const refusal = useRefusal('mirror.change');
  const hasNotifications = useMissing('notifications') === null;
  if (error !== null && data === undefined)
    return (
      <Note tone="bad">
        <Trans>No settings. {problemOf(error).message}</Trans>
      </Note>
    );
  if (data === undefined) return <div aria-busy="true" />;
  return (
    <>
      {refusal !== null && (
        <p className={`${classes.refusal} t-2`}>
          <Icon name="lock" size={14} /> <Trans>Settings cannot be changed. {refusal}</Trans>
        </p>
      )}
      <section className={classes.group} aria-label={t`Reading`}>
        <h2 className="t-semi">{t`Reading`}</h2>
        <p className={`t-2 ${classes.about}`}>
          <Trans>
            Sandglass reads the deadlines of all keys into an index of its own. Reading costs the server time,
            and some servers delete an expired key when it is read.
          </Trans>
        </p>
        <Pause paused={data.paused} refusal={refusal} />
        <ReadLimit
          label={t`Keys per second`}
          hint={t`Reading also slows down by itself when the server answers more slowly. Empty: no other limit.`}
          value={data.readsPerSecond}
          refusal={refusal}
          isOptional
          changeTo={readsPerSecond => ({ readsPerSecond })}
          formatChange={perSecond =>
            perSecond === null
              ? t`Keys are read without a limit.`
              : t`At most ${formatCount(perSecond)} keys a second are read.`
          }
        />
        {data.mostKeys !== null && (
          <ReadLimit
            label={t`Most keys`}
            hint={t`Of a server with more keys one in 2, 4, 8 … is read, and its figures are those of this sample.`}
            value={data.mostKeys}
            refusal={refusal}
            isOptional={false}
            changeTo={mostKeys => (mostKeys === null ? {} : { mostKeys })}
            formatChange={keys => t`Of more than ${formatCount(keys ?? 0)} keys a sample is read.`}
          />
        )}
      </section>
      {hasNotifications && <Notifications />}
      {data.grouping !== null && (
        <KeyGroups key={JSON.stringify(data.grouping)} grouping={data.grouping} refusal={refusal} />
      )}
    </>
  );
}

function Pause({ paused, refusal }: { paused: boolean; refusal: string | null }) {
  const state = useLive(({ remote }) => remote?.mirror?.is);
  const change = useChangeMirror();
  return (
    <div className={classes.setting}>
      <span className={classes.settingLabel}>{t`State`}</span>
      <div className={classes.settingControl}>
        <Button
          busy={change.isPending}
          disabled={refusal !== null}
          {...(paused ? {} : { icon: 'paused' as const })}
          onClick={() => change.mutate({ paused: !paused })}
        >
          {paused ? t`Resume reading` : t`Pause reading`}
        </Button>
      </div>
      <div className={classes.settingMeans}>
        {change.error !== null && (
          <p className="problem" role="alert">
            {problemOf(change.error).message}
          </p>
        )}
        <p className="hint" role="status">
          {paused
            ? t`Paused: figures stay as they are. The server removes expired keys as before.`
            : state === 'scanning'
              ? t`All keys are being read.`
              : state === 'live'
                ? t`Complete; changes arrive as notifications.`
                : t`Keys are read again at intervals, or once the server can be reached.`}
        </p>
      </div>
    </div>
  );
}
