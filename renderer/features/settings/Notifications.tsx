import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { client, problemOf, useChange, useLive, useRefusal } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import classes from './settings.module.css';

/** Whether the server notifies of changes, and a button to turn notifications on if it does not. */
export function Notifications() {
  const finding = useLive(({ remote }) => remote?.findings.find(({ remedy }) => remedy === 'notifications'));
  const refusal = useRefusal('mirror.enableNotifications');
  const enable = useChange({ mutationFn: () => client.mirror.enableNotifications() });
  return (
    <section className={classes.group} aria-label={t`Notifications`}>
      <h2 className="t-semi">{t`Notifications`}</h2>
      {finding === undefined ? (
        <p className="t-2" role="status">
          <Icon name="check" className="c-ok" /> {t`The server sends a message for each change of a key.`}
        </p>
      ) : (
        <>
          <p className={`t-2 ${classes.about}`}>
            {finding.sentence} {finding.advice}
          </p>
          <div className={classes.line}>
            <Button
              busy={enable.isPending}
              disabled={refusal !== null}
              onClick={() => enable.mutate()}
            >{t`Turn on until the server restarts`}</Button>
          </div>
          {refusal !== null && (
            <p className={`${classes.refusal} t-2`}>
              <Icon name="lock" size={14} /> {refusal}
            </p>
          )}
          {enable.error !== null && (
            <p className="problem" role="alert">
              <Trans>Not turned on. {problemOf(enable.error).message}</Trans>
            </p>
          )}
        </>
      )}
    </section>
  );
}
