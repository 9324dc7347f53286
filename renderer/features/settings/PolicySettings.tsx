import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { HOME_CONNECTION } from '../../../shared/contract/connections.ts';
import {
  client,
  orpc,
  problemOf,
  queryClient,
  useChange,
  useCurrentConnection,
  useRefusal,
} from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { showToast } from '../../components/overlays/toast-store.ts';
import { Instant } from '../../components/time/Time.tsx';
import { PolicyDifferences } from './PolicyDifferences.tsx';
import { type GivenPolicy, openPolicy, savePolicy } from './policy-files.ts';
import classes from './settings.module.css';

/** The policy of the connection: exported, opened from a file, compared with the store, and applied. */
export function PolicySettings() {
  const { data: expected } = useQuery(orpc.policy.expected.queryOptions({ staleTime: 0 }));
  const { id = HOME_CONNECTION, name = HOME_CONNECTION } = useCurrentConnection() ?? {};
  const refusal = useRefusal('policy.apply');
  const [given, setGiven] = useState<GivenPolicy | null>(null);
  const [applied, setApplied] = useState<string | null>(null);
  const save = useChange({ mutationFn: () => savePolicy(name) });
  const open = useChange({
    mutationFn: () => openPolicy([id, name]),
    onSuccess(opened) {
      if (opened === null) return;
      setGiven(opened);
      setApplied(null);
    },
  });
  const forget = useChange({
    mutationFn: () => client.policy.expect({ policy: null }),
    onSuccess() {
      queryClient.setQueryData(orpc.policy.expected.queryKey(), null);
      showToast({ kind: 'good', title: t`This connection has no expected policy any more.` });
    },
  });
  const failed = save.error ?? open.error ?? forget.error;
  const policy = given?.policy ?? expected?.policy;
  return (
    <>
      <section className={classes.group} aria-label={t`Policy`}>
        <h2 className="t-semi">{t`Policy`}</h2>
        <p className={`t-2 ${classes.about}`}>
          <Trans>
            A policy file states the expiration that collections should have. Export the present one, keep it
            with your code, and compare or apply it here, by <span className="mono">sandglass policy</span>,
            or in CI. Nothing enforces it between two comparisons.
          </Trans>
        </p>
        <div className={classes.line}>
          <Button icon="download" busy={save.isPending} onClick={() => save.mutate()}>{t`Export…`}</Button>
          <Button
            icon="file"
            busy={open.isPending}
            onClick={() => open.mutate()}
          >{t`Open a policy file…`}</Button>
        </div>
        {failed !== null && (
          <p className="problem wrap" role="alert">
            {problemOf(failed).message}
          </p>
        )}
        {applied !== null && (
          <p className="row" role="status">
            <Icon name="check" className="c-ok" /> {applied}
          </p>
        )}
        {refusal !== null && (
          <p className={`${classes.refusal} t-2`}>
            <Icon name="lock" size={14} /> <Trans>Policies cannot be applied. {refusal}</Trans>
          </p>
        )}
      </section>
      {policy !== undefined && (
        <section className={classes.group} aria-label={t`Differences`}>
          <h2 className="t-semi">{given === null ? t`Compared with the expected policy` : given.file}</h2>
          <p className={`t-2 ${classes.about}`}>
            {plural(Object.keys(policy.collections).length, {
              one: '# entry',
              other: '# entries',
            })}
            {given === null && expected != null && (
              <Trans>
                , applied by {expected.by}, <Instant at={expected.since} />
              </Trans>
            )}
            .
          </p>
          <PolicyDifferences
            policy={policy}
            refusal={refusal}
            onApplied={result => {
              setGiven(null);
              setApplied(result);
              void queryClient.invalidateQueries({ queryKey: orpc.policy.key() });
            }}
          />
          <div className={classes.line}>
            {given !== null && (
              <Button variant="ghost" onClick={() => setGiven(null)}>{t`Close the file`}</Button>
            )}
            {given === null && expected != null && refusal === null && (
              <Button
                variant="ghost"
                busy={forget.isPending}
                onClick={() => forget.mutate()}
              >{t`Stop comparing`}</Button>
            )}
          </div>
        </section>
      )}
    </>
  );
}
