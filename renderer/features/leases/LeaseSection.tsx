import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { LeaseRecord } from '../../../shared/contract/leases.ts';
import { orpc, problemOf, useLiveQuery, useRefusal } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Note } from '../../components/status/Note.tsx';
import { Instant, RelativeTime } from '../../components/time/Time.tsx';
import { formatDuration } from '../../i18n/format.ts';
import { AttachKey } from './AttachKey.tsx';
import { LeaseKeys } from './LeaseKeys.tsx';
import { LeaseQuestion } from './LeaseQuestion.tsx';
import type { LeaseChange } from './lease-change.ts';
import classes from './leases.module.css';

const MOST_NAMED = 6;

/** The lease of a key, the keys that leave with it, and its changes. */
export function LeaseSection({ collection, id }: { collection: string; id: string }) {
  const { data: lease, error } = useLiveQuery(orpc.leases.ofKey.queryOptions({ input: { collection, id } }), {
    collection,
  });
  const mayWrite = useRefusal('leases.attach') === null;
  const [change, setChange] = useState<LeaseChange | null>(null);
  const [attaching, setAttaching] = useState(false);
  if (error !== null) {
    // The panel itself reports a key that is gone.
    const problem = problemOf(error);
    return problem.code === 'DOCUMENT_NOT_FOUND' ? null : <Note tone="warn">{problem.message}</Note>;
  }
  if (lease === undefined) return null;
  return (
    <section aria-label={t`Lease`} className={classes.lease}>
      <h3 className="t-semi">{t`Lease`}</h3>
      {lease === null ? (
        <p className="t-2">{t`This key has no lease: it never expires.`}</p>
      ) : (
        <Facts lease={lease} />
      )}
      {mayWrite && (
        <div className={`row ${classes.actions}`}>
          {lease !== null && (
            <>
              <Button small onClick={() => setChange({ kind: 'keep alive', lease })}>{t`Keep alive…`}</Button>
              <Button
                small
                onClick={() => setChange({ kind: 'detach', lease, collection, key: id })}
              >{t`Detach…`}</Button>
              <Button
                small
                variant="ghost"
                className="danger-text"
                onClick={() => setChange({ kind: 'revoke', lease })}
              >{t`Revoke…`}</Button>
            </>
          )}
          <Button small variant={lease === null ? 'plain' : 'ghost'} onClick={() => setAttaching(true)}>
            {lease === null ? t`Attach to a lease…` : t`Attach to another…`}
          </Button>
        </div>
      )}
      {change !== null && <LeaseQuestion change={change} onClose={() => setChange(null)} />}
      {attaching && (
        <AttachKey collection={collection} id={id} former={lease} onClose={() => setAttaching(false)} />
      )}
    </section>
  );
}

function Facts({ lease }: { lease: LeaseRecord }) {
  const { id, grantedSeconds, deadlineAt, keyCount } = lease;
  const granted = formatDuration(grantedSeconds * 1_000);
  return (
    <>
      <p className="t-2 wrap">
        <Trans>
          <span className="mono">{id}</span>, granted for {granted}, ends{' '}
          <b className="t-semi">
            <RelativeTime at={deadlineAt} />
          </b>{' '}
          (<Instant at={deadlineAt} />) unless it is kept alive.
        </Trans>{' '}
        {plural(keyCount, { one: 'Its only key leaves then:', other: 'All # keys leave then, at once:' })}
      </p>
      <LeaseKeys lease={lease} most={MOST_NAMED} />
    </>
  );
}
