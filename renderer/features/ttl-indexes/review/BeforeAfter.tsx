import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { Preview, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
import { useMissing, useWords } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { jsonLine } from '../../../components/json-line.ts';
import { RelativeAndInstant } from '../../../components/time/Time.tsx';
import { formatBytes, formatCount } from '../../../i18n/format.ts';
import { formatRecords } from '../../../i18n/format-engine-words.ts';
import { formatUnit } from '../../../i18n/format-source.ts';
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
  /** The present definition; null: a new index is created. */
  before: TtlIndex | null;
  /** The other indexes of the collection. */
  others: readonly TtlIndex[];
  /** Whether the field holds numbers, so that their unit is shown. */
  hasNumbers: boolean;
  name: string;
  /** The definition as it is sent. */
  definition: ChosenDefinition;
  preview: Preview;
}

/** Compares present and new values. */
export function BeforeAfter(props: BeforeAfterProps) {
  const { collection, summary, before, name, definition, preview, hasNumbers } = props;
  const { source, onExpire, schedule, limits, retention } = definition;
  const { dueAtOnce, documents } = preview;
  const bytes = summary?.bytes ?? 0;
  const others = props.others.length;
  const words = useWords();
  return (
    <section className="panel">
      <table className={classes.diff} aria-label={t`${collection} before and after`}>
        <colgroup>
          <col className={classes.cWhat} />
          <col />
          <col className={classes.cBecomes} />
          <col className={classes.cAfter} />
        </colgroup>
        <thead>
          <tr>
            <td />
            <th scope="col">{t`Before`}</th>
            <td />
            <th scope="col">{t({ message: 'After', context: 'column: the changed definition' })}</th>
          </tr>
        </thead>
        <tbody>
          <Change
            what={before === null ? t`TTL indexes` : t`Index`}
            was={
              before === null ? (
                others === 0 ? (
                  t`none`
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
                  <span className="t-2">
                    <Trans>, beside the {formatCount(others)}; the earliest deadline wins</Trans>
                  </span>
                )}
              </>
            }
          />
          <Change
            what={t`On expiry`}
            was={before === null ? formatActions(props.others) : <Action {...before} />}
            is={<Action onExpire={onExpire} retention={retention} />}
          />
          <Change
            what={t`Schedule`}
            was={before === null ? formatSchedules(props.others) : formatSchedule(before.schedule)}
            is={formatSchedule(schedule)}
          />
          {(before !== null || Object.keys(limits).length > 0) && (
            <Change
              what={t`Limits`}
              was={before === null ? t`none` : limitsOrStore(before.limits)}
              is={limitsOrStore(limits)}
            />
          )}
          {removes(onExpire, schedule) ? (
            <Fewer preview={preview} bytes={bytes} drainMs={drainWith(preview, limits)} />
          ) : (
            <Change
              what={formatRecords(words)}
              was={formatCount(documents)}
              is={
                <>
                  {formatCount(documents)}
                  {dueAtOnce > 0 && (
                    <span className="t-2">
                      <Trans>
                        , {formatCount(dueAtOnce)} due at once. {formatFate(onExpire, schedule)}
                      </Trans>
                    </span>
                  )}
                </>
              }
            />
          )}
          <Change
            what={others > 0 ? t`Next expiry by this index` : t`Next expiry`}
            was={before === null ? t`none` : <NextDeadline at={before.nextDeadlineAt} />}
            is={
              schedule.mode === 'observe' ? (
                t`none while it observes`
              ) : (
                <>
                  {dueAtOnce > 0 && t`now, then`} <NextDeadline at={preview.nextDeadlineAt} />
                </>
              )
            }
          />
          <Change
            what={others > 0 ? t`Never expire by this index` : t`Never expire`}
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

/** Number of documents that expire at once, and the bytes freed by that. */
function Fewer({ preview, bytes, drainMs }: { preview: Preview; bytes: number; drainMs: number | null }) {
  const { dueAtOnce, documents } = preview;
  const words = useWords();
  const left = formatBytes(Math.max(0, bytes - preview.bytes.dueAtOnce));
  return (
    <>
      <Change
        what={formatRecords(words)}
        was={formatCount(documents)}
        is={
          <>
            {formatCount(documents - dueAtOnce)}{' '}
            {dueAtOnce > 0 && (
              <span className="c-overdue">
                <Trans>({formatCount(dueAtOnce)} fewer, at once)</Trans>
              </span>
            )}
          </>
        }
      />
      {bytes > 0 && (
        <Change
          what={t`Stored`}
          was={formatBytes(bytes)}
          is={drainMs !== null && dueAtOnce > 0 ? t`${left}, in ${formatDrain(drainMs)}` : left}
        />
      )}
    </>
  );
}

function Action({ onExpire, retention }: Pick<ChosenDefinition, 'onExpire' | 'retention'>) {
  const ofStore = useStoreSettings()?.retention ?? null;
  const keepsCopies = useMissing('restore') === null;
  return (
    <>
      {formatAction(onExpire)}{' '}
      {onExpire.action === 'patch' && <code className="mono">{jsonLine(onExpire.patch)}</code>}
      {onExpire.action === 'replace' && <code className="mono">{onExpire.expression}</code>}
      {keepsCopies && <span className="t-2">({formatRetention(retention, ofStore)})</span>}
    </>
  );
}

function Rule({ name, source, hasNumbers }: { name: string; source: TtlSource; hasNumbers: boolean }) {
  return (
    <>
      <Trans>
        <b className="t-semi">{name}</b>: <RuleSummary source={source} />
      </Trans>
      {hasNumbers && source.kind === 'field' && <Trans>, {formatUnit(source.unit)}</Trans>}
    </>
  );
}

const limitsOrStore = (limits: ChosenDefinition['limits']) => formatLimits(limits) ?? t`the store’s own`;

function NextDeadline({ at }: { at: number | null }) {
  return at === null ? t`none` : <RelativeAndInstant at={at} />;
}

function formatNever({ never }: Preview): string {
  if (never.count === 0) return '0';
  const count = formatCount(never.count);
  return plural(never.reasons.length, {
    0: `${count}, by no reason`,
    one: `${count}, by one reason`,
    2: `${count}, by two reasons`,
    3: `${count}, by three reasons`,
    4: `${count}, by four reasons`,
    5: `${count}, by five reasons`,
    other: `${count}, by # reasons`,
  });
}
