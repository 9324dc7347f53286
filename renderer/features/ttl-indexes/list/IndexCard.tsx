import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { hides } from '../../../../shared/model/ttl-index.ts';
import { useLive, useRefusal, useWords } from '../../../api.ts';
import { Button, ButtonLink, IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Meter } from '../../../components/figures/Meter.tsx';
import { goTo, toCollection, toEditIndex, toIndex } from '../../../components/navigation/location.ts';
import { useShowsJob } from '../../../components/overlays/jobs-on-page.ts';
import { Menu } from '../../../components/overlays/Menu.tsx';
import { offerFor } from '../../../components/status/removal-stopped.ts';
import { Ago, Instant, Upcoming } from '../../../components/time/Time.tsx';
import { useIsLate } from '../../../components/time/use-is-late.ts';
import { formatBytes, formatCount } from '../../../i18n/format.ts';
import { formatSource, formatUnit } from '../../../i18n/format-source.ts';
import { actionVerb, formatRetention } from '../format/format-action.ts';
import { formatLimits, formatSchedule, showsUnit } from '../format/format-index.ts';
import { RuleSummary } from '../format/RuleSummary.tsx';
import classes from '../preview/effect.module.css';
import { NeverReasons } from '../preview/NeverReasons.tsx';
import { IndexHealth } from './IndexHealth.tsx';
import { cancelBuild, pauseIndex, resumeIndex, runIndex } from './index-actions.ts';
import indexListClasses from './index-list.module.css';
import { PendingChange } from './PendingChange.tsx';
import { QuarantinedDocuments } from './QuarantinedDocuments.tsx';
import { Successor } from './Successor.tsx';

interface IndexCardProps {
  index: TtlIndex;
  /** Whether the card is on the page of the index: without a link to it, and with each quarantined document. */
  isWhole?: boolean;
  onDrop: () => void;
}

/** One index: its rule, its figures, and why some documents never expire. */
export function IndexCard({ index, isWhole = false, onDrop }: IndexCardProps) {
  const { name, collection, source, never } = index;
  // Quarantined documents are shown above.
  const reasons = never.reasons.filter(({ reason }) => reason !== 'quarantined');
  const limits = formatLimits(index.limits);
  const late = useIsLate(index);
  // An index that observes or awaits confirmation gives no document a deadline.
  const isActing = index.state === 'ready';
  const isRow = useWords()?.record === 'row';
  const isRemote = useLive(({ remote }) => remote !== null);
  return (
    <li className={`panel ${indexListClasses.indexCard}`}>
      <div className={`row ${indexListClasses.indexH}`}>
        <h3 className="mono t-semi ell" title={name}>
          {isWhole ? name : <a href={toIndex(collection, name)}>{name}</a>}
        </h3>
        <IndexHealth index={index} />
        <Recounting collection={collection} />
        <span className="spacer" />
        <IndexActions index={index} onDrop={onDrop} />
      </div>
      <p className={`${indexListClasses.rule} t-2`}>
        <span>
          <Trans>
            {actionVerb(index.onExpire)} <RuleSummary source={source} />
          </Trans>
        </span>
        {source.kind === 'field' && showsUnit(index) && <span>{formatUnit(source.unit)}</span>}
        <span>{formatSchedule(index.schedule)}</span>
        {limits !== null && <span>{limits}</span>}
        {index.retention !== null && <span>{formatRetention(index.retention)}</span>}
        <span>
          <Trans>
            created by {index.createdBy} <Ago at={index.createdAt} />
          </Trans>
        </span>
      </p>
      <PendingChange index={index} />
      <Successor index={index} />
      <QuarantinedDocuments index={index} isWhole={isWhole} />
      {index.state === 'building' ? (
        <Building index={index} />
      ) : (
        <>
          <dl className={indexListClasses.indexFigs}>
            <Figure
              title={coveredTitle(isRow, isActing)}
              // The size is not known for every engine.
              sub={index.bytes > 0 && formatBytes(index.bytes)}
            >
              {isActing ? (
                <a href={toCollection(collection, 'documents', { index: name })}>
                  {formatCount(index.documents)}
                </a>
              ) : (
                formatCount(index.documents)
              )}
            </Figure>
            <Figure title={isActing ? t`Overdue` : t`Would be due now`} sub={overdueSub(index, isRemote)}>
              {index.overdue > 0 && isActing ? (
                <a
                  className={late ? 'c-overdue' : ''}
                  href={toCollection(collection, 'documents', {
                    index: name,
                    includeExpired: 'true',
                    dueTo: Date.now(),
                  })}
                >
                  {formatCount(index.overdue)}
                </a>
              ) : (
                formatCount(index.overdue)
              )}
            </Figure>
            <Figure title={t`Due in the next hour`}>{formatCount(index.dueNextHour)}</Figure>
            <Figure
              title={t`Next deadline`}
              sub={index.nextDeadlineAt !== null && <Instant at={index.nextDeadlineAt} />}
            >
              {index.nextDeadlineAt === null ? t`none` : <Upcoming at={index.nextDeadlineAt} />}
            </Figure>
            <Figure
              title={t`Never expire`}
              sub={
                index.quarantined > 0 && (
                  <a href={toCollection(collection, 'documents', { index: name, reason: 'quarantined' })}>
                    <Trans>{formatCount(index.quarantined)} quarantined</Trans>
                  </a>
                )
              }
            >
              {formatCount(never.count)}
            </Figure>
          </dl>
          {reasons.length > 0 && (
            <div className={`row ${classes.neverRow}`}>
              <span className="t-12 t-3 nowrap">
                <Icon name="never" size={12} /> <Trans>Never, because</Trans>
              </span>
              <NeverReasons
                reasons={reasons}
                field={formatSource(source)}
                collection={collection}
                index={name}
              />
            </div>
          )}
        </>
      )}
    </li>
  );
}

/** The documents of the index may have changed: its figures are exact again after a recount. */
function Recounting({ collection }: { collection: string }) {
  const isRunning = useLive(({ jobs }) =>
    [...jobs.values()].some(
      job => job.kind === 'recount' && job.state === 'running' && job.collection === collection,
    ),
  );
  if (!isRunning) return null;
  return (
    <span className="chip never" title={t`Figures are exact again when the recount is complete`}>
      <Icon name="activity" size={12} />
      <Trans>Recounting</Trans>
    </span>
  );
}

function coveredTitle(isRow: boolean, isActing: boolean): string {
  if (isRow) return isActing ? t`Rows covered` : t`Rows matched`;
  return isActing ? t`Documents covered` : t`Documents matched`;
}

/** Applications read the tables of a remote store themselves: nothing is hidden there [V1]. */
function overdueSub({ overdue, onExpire, state }: TtlIndex, isRemote: boolean): string {
  if (state !== 'ready') return t`not removed`;
  if (overdue === 0) return t`none overdue`;
  if (isRemote) return t`not removed yet`;
  return hides(onExpire) ? t`hidden, still stored` : t`still visible`;
}

function Figure({ title, sub, children }: { title: string; sub?: ReactNode; children: ReactNode }) {
  return (
    <div className="fig">
      <dt>{title}</dt>
      <dd>{children}</dd>
      <dd className="sub">{sub}</dd>
    </div>
  );
}

function IndexActions({ index, onDrop }: { index: TtlIndex; onDrop: () => void }) {
  const { collection, name, paused, state } = index;
  const mayConfigure = useRefusal('ttlIndexes.drop') === null;
  const mayRun = useRefusal('reaper.run') === null;
  const reaper = useLive(live => live.reaper);
  const offer = offerFor(collection, reaper, { kind: 'index', isPaused: paused !== null });
  const scope = { collection, index: name };
  const more = (
    <Menu
      target={<IconButton icon="more" label={t`More for ${name}`} />}
      groups={[
        [
          { label: t`Policy history`, icon: 'undo', onSelect: () => goTo(toIndex(collection, name)) },
          {
            label: t`Copy as…`,
            icon: 'copy',
            onSelect: () => goTo(toIndex(collection, name, { as: 'cli' })),
          },
        ],
        mayConfigure ? [{ label: t`Drop index…`, icon: 'trash', danger: true, onSelect: onDrop }] : [],
      ]}
    />
  );
  if (!mayConfigure) return more;
  return (
    <>
      {state === 'ready' && offer.run && mayRun && (
        <Button small icon="next" onClick={() => void runIndex(scope)}>{t`Run now`}</Button>
      )}
      {offer.pause === 'pause' && (
        <Button small icon="paused" onClick={() => void pauseIndex(scope)}>{t`Pause`}</Button>
      )}
      {offer.pause === 'resume' && (
        <Button small icon="running" onClick={() => void resumeIndex(scope)}>{t`Resume`}</Button>
      )}
      <ButtonLink small href={toEditIndex(collection, name)}>
        <Icon name="edit" size={12} />
        <Trans>Edit…</Trans>
      </ButtonLink>
      {more}
    </>
  );
}

function Building({ index: { name, job: id } }: { index: TtlIndex }) {
  useShowsJob(id);
  const job = useLive(state => (id === null ? undefined : state.jobs.get(id)));
  const total = job?.total ?? null;
  return (
    <div className={`row ${classes.building}`}>
      <span className="t-12 nowrap" role="status">
        {total === null
          ? t`${formatCount(job?.done ?? 0)} read; no effect yet`
          : t`${formatCount(job?.done ?? 0)} of ${formatCount(total)} read; no effect yet`}
      </span>
      <span className="grow">
        <Meter label={t`Build of ${name}`} done={job?.done ?? 0} total={total} />
      </span>
      {id !== null && <Button small onClick={() => void cancelBuild(name, id)}>{t`Cancel build`}</Button>}
    </div>
  );
}
