import type { ReactNode } from 'react';
import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { Preview, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { jsonLine } from '../../../components/json-line.ts';
import { RelativeAndInstant } from '../../../components/time/Time.tsx';
import { formatBytes, formatCount } from '../../../i18n/format.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { useStoreSettings } from '../draft/use-store-settings.ts';
import { formatAction, formatFate, formatRetention, removes } from '../format/format-action.ts';
import { formatLimits, formatSchedule } from '../format/format-index.ts';
import { RuleSummary } from '../format/RuleSummary.tsx';
import { drainWith } from '../preview/drain-time.ts';
import { formatActions, formatSchedules } from '../preview/format-other-indexes.ts';
import { formatDrain } from '../preview/preview-figures.ts';
import classes from './review.module.css';

export interface BeforeAfterProps {
  collection: string;
  summary: CollectionSummary | undefined;
  /** The present definition; null: one is created. */
  before: TtlIndex | null;
  /** The other indexes of the collection. */
  others: readonly TtlIndex[];
  /** The field holds numbers: their unit is shown. */
  hasNumbers: boolean;
  name: string;
  /** The definition as it is sent. */
  definition: ChosenDefinition;
  preview: Preview;
}

/** Present and new values. */
export function BeforeAfter(props: BeforeAfterProps) {
  const { collection, summary, before, name, definition, preview, hasNumbers } = props;
  const { source, onExpire, schedule, limits, retention } = definition;
  const { dueAtOnce, documents } = preview;
  const bytes = summary?.bytes ?? 0;
  const others = props.others.length;
  return (
    <section className="panel">
      <table className={classes.diff} aria-label={`${collection} before and after`}>
        <colgroup>
          <col className={classes.cWhat} />
          <col />
          <col className={classes.cBecomes} />
          <col className={classes.cAfter} />
        </colgroup>
        <thead>
          <tr>
            <td />
            <th scope="col">Before</th>
            <td />
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          <Change
            what={before === null ? 'TTL indexes' : 'Index'}
            was={
              before === null ? (
                others === 0 ? (
                  'none'
                ) : (
                  formatCount(others)
                )
              ) : (
                <Rule name={name} source={before.source} hasNumbers={hasNumbers} />
              )
            }
            is={
              <>
                <Rule name={name} source={source} hasNumbers={hasNumbers} />
                {before === null && others > 0 && (
                  <span className="t-2">, beside the {formatCount(others)}; the earliest deadline wins</span>
                )}
              </>
            }
          />
          <Change
            what="On expiry"
            was={before === null ? formatActions(props.others) : <Action {...before} />}
            is={<Action onExpire={onExpire} retention={retention} />}
          />
          <Change
            what="Schedule"
            was={before === null ? formatSchedules(props.others) : formatSchedule(before.schedule)}
            is={formatSchedule(schedule)}
          />
          {(before !== null || Object.keys(limits).length > 0) && (
            <Change
              what="Limits"
              was={before === null ? 'none' : limitsOrStore(before.limits)}
              is={limitsOrStore(limits)}
            />
          )}
          {removes(onExpire, schedule) ? (
            <Fewer preview={preview} bytes={bytes} drainMs={drainWith(preview, limits)} />
          ) : (
            <Change
              what="Documents"
              was={formatCount(documents)}
              is={
                <>
                  {formatCount(documents)}
                  {dueAtOnce > 0 && (
                    <span className="t-2">
                      , {formatCount(dueAtOnce)} due at once. {formatFate(onExpire, schedule)}
                    </span>
                  )}
                </>
              }
            />
          )}
          <Change
            what={others > 0 ? 'Next expiry by this index' : 'Next expiry'}
            was={before === null ? 'none' : <NextDeadline at={before.nextDeadlineAt} />}
            is={
              schedule.mode === 'observe' ? (
                'none while it observes'
              ) : (
                <>
                  {dueAtOnce > 0 && 'now, then '}
                  <NextDeadline at={preview.nextDeadlineAt} />
                </>
              )
            }
          />
          <Change
            what={others > 0 ? 'Never expire by this index' : 'Never expire'}
            was={formatCount(before === null ? documents : before.never.count)}
            is={formatNever(preview)}
          />
        </tbody>
      </table>
    </section>
  );
}

function Change({ what, was, is }: { what: string; was: ReactNode; is: ReactNode }) {
  return (
    <tr>
      <th scope="row">{what}</th>
      <td className="t-2">{was}</td>
      <td>
        <Icon name="arrow" size={14} />
      </td>
      <td>{is}</td>
    </tr>
  );
}

/** Number of documents that expire at once, and the bytes that frees. */
function Fewer({ preview, bytes, drainMs }: { preview: Preview; bytes: number; drainMs: number | null }) {
  const { dueAtOnce, documents } = preview;
  return (
    <>
      <Change
        what="Documents"
        was={formatCount(documents)}
        is={
          <>
            {formatCount(documents - dueAtOnce)}{' '}
            {dueAtOnce > 0 && <span className="c-overdue">({formatCount(dueAtOnce)} fewer, at once)</span>}
          </>
        }
      />
      <Change
        what="Stored"
        was={formatBytes(bytes)}
        is={`${formatBytes(Math.max(0, bytes - preview.bytes.dueAtOnce))}${drainMs !== null && dueAtOnce > 0 ? `, in ${formatDrain(drainMs)}` : ''}`}
      />
    </>
  );
}

function Action({ onExpire, retention }: Pick<ChosenDefinition, 'onExpire' | 'retention'>) {
  const ofStore = useStoreSettings()?.retention ?? null;
  return (
    <>
      {formatAction(onExpire)}{' '}
      {onExpire.action === 'patch' && <code className="mono">{jsonLine(onExpire.patch)}</code>}
      {onExpire.action === 'replace' && <code className="mono">{onExpire.expression}</code>}
      <span className="t-2">({formatRetention(retention, ofStore)})</span>
    </>
  );
}

function Rule({ name, source, hasNumbers }: { name: string; source: TtlSource; hasNumbers: boolean }) {
  return (
    <>
      <b className="t-semi">{name}</b>: <RuleSummary source={source} />
      {hasNumbers && source.kind === 'field' && `, numbers read as ${source.unit}`}
    </>
  );
}

const limitsOrStore = (limits: ChosenDefinition['limits']) => formatLimits(limits) ?? 'the store’s own';

function NextDeadline({ at }: { at: number | null }) {
  return at === null ? 'none' : <RelativeAndInstant at={at} />;
}

const NUMBER_WORD = [
  'no reason',
  'one reason',
  'two reasons',
  'three reasons',
  'four reasons',
  'five reasons',
];

function formatNever({ never }: Preview): string {
  if (never.count === 0) return '0';
  const reasons = never.reasons.length;
  return `${formatCount(never.count)}, by ${NUMBER_WORD[reasons] ?? `${reasons} reasons`}`;
}
