import { t } from '@lingui/core/macro';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import { orpc, useLiveQuery } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Chip } from '../../../components/status/Chip.tsx';
import { formatReason } from '../../../components/status/never-reason.ts';
import { useZone } from '../../../components/time/clock.ts';
import { formatInZone } from '../../../components/time/format-in-zone.ts';
import { Instant, RelativeTime } from '../../../components/time/Time.tsx';
import classes from '../documents.module.css';

/** [X1] The document's deadline, the rule that gives it, and the deadline of every other rule. */
export function DeadlineExplanation({ collection, row }: { collection: string; row: DocumentRecord }) {
  const [zone] = useZone();
  const { data } = useLiveQuery(orpc.documents.explain.queryOptions({ input: { collection, id: row._id } }), {
    collection,
  });
  const explained = data?._id === row._id ? data : undefined;
  return (
    <>
      <div className={`row ${classes.explainedH}`}>
        <Chip state={row.state} />
        {row.deadlineAt !== null && (
          <>
            <RelativeTime at={row.deadlineAt} className="t-semi" />
            <Instant at={row.deadlineAt} className="t-3" />
          </>
        )}
      </div>
      <p className={`t-2 ${classes.explained}`}>
        {explained === undefined ? ' ' : formatInZone(explained.sentence, zone)}
      </p>
      <ul className={`${classes.cand} t-12`}>
        {explained?.candidates.map(candidate => {
          const isActing = candidate.from === explained.deadlineFrom;
          return (
            <li key={candidate.from} className={isActing ? 't-semi' : 't-2'}>
              <span className="c-accent">
                {isActing && <Icon name="check" size={12} label={t`In effect`} />}
              </span>
              <span className="ell">
                {candidate.from === EXPLICIT ? t`Set by hand` : candidate.from}
                {candidate.paused && <span className="t-3"> {t`(paused)`}</span>}
              </span>
              <span title={candidate.message ?? undefined}>
                {candidate.deadlineAt === null ? (
                  candidate.reason === null ? (
                    t`none`
                  ) : (
                    formatReason(candidate.reason)
                  )
                ) : (
                  <Instant at={candidate.deadlineAt} />
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
