import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Preview, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import type { Limits } from '../../../../shared/model/ttl-index.ts';
import { problemOf, useWords } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { formatCount, formatDuration } from '../../../i18n/format.ts';
import { formatRecordsPer } from '../../../i18n/format-engine-words.ts';
import { CountStatus } from './CountStatus.tsx';
import { drainWith } from './drain-time.ts';
import { EffectBars } from './EffectBars.tsx';
import classes from './effect.module.css';
import { formatOtherIndexes } from './format-other-indexes.ts';
import { NeverReasons } from './NeverReasons.tsx';
import { afterForecast, formatDrain, formatShare } from './preview-figures.ts';
import { Samples } from './Samples.tsx';
import { Unreadable } from './Unreadable.tsx';
import type { PreviewState } from './use-preview.ts';

/** A bar of the forecast. */
const FORECAST_BUCKET_MS = 6 * 3_600_000;

interface EffectPanelProps {
  collection: string;
  /** The index that is changed; its never-expiring documents can be listed. */
  index: string | null;
  /** The source: the path of a field, or a description. */
  reads: string;
  /** The result for documents due at once; null: deleted. */
  fate: string | null;
  /** Whether the schedule is observe: documents due at once are only counted. */
  observes: boolean;
  /** Limits of the index; null while they cannot be read. */
  limits: Limits | null;
  state: PreviewState;
  /** Whether the input cannot be counted: the figures are of earlier input. */
  isLeftOver: boolean;
  /** Whether the problem is shown beside its control. */
  isMistaken: boolean;
  /** Whether source and confirmation are unchanged: the same documents are due already. */
  isAsBefore: boolean;
  /** The other indexes of the collection, which are not counted. */
  others: readonly TtlIndex[];
  renderForecast?: ((preview: Preview) => ReactNode) | undefined;
}

/** The exact effect of the input, beside the form [X3]. */
export function EffectPanel(props: EffectPanelProps) {
  const { collection, index, reads, state, isLeftOver, isMistaken, others, renderForecast } = props;
  const { preview, error } = state;
  const beyond = preview === null ? 0 : afterForecast(preview);
  const alone = formatOtherIndexes(others);
  const perSpan = formatRecordsPer(useWords(), formatDuration(FORECAST_BUCKET_MS));
  return (
    <aside className={classes.prev} aria-label={t`Exact effect`} aria-busy={state.isCounting}>
      <div className="row">
        <h2 className="t-head grow">
          {preview?.isEstimate === true
            ? t`Estimated effect`
            : index === null
              ? t`Exact effect, if built now`
              : t`Exact effect, if changed now`}
        </h2>
        <CountStatus state={state} isLeftOver={isLeftOver} />
      </div>
      {preview === null && (error === null || isMistaken) && (
        <p className={`t-2 ${classes.nothingCounted}`}>
          {state.isCounting
            ? t`Counting all of ${collection}.`
            : t`Choose a source: the effect is counted before anything is built.`}
        </p>
      )}
      {error !== null && !isMistaken && (
        <Uncounted error={error} hasOld={preview !== null} onRetry={state.recount} />
      )}
      {preview?.isEstimate === true && (
        <p className="hint wrap">
          {t`Counting takes too long here: the figures are those of the server’s statistics.`}
        </p>
      )}
      {preview !== null && (
        <div className={isLeftOver ? classes.leftOver : undefined}>
          <AtOnce
            preview={preview}
            collection={collection}
            fate={props.fate}
            observes={props.observes}
            drainMs={drainWith(preview, props.limits ?? {})}
            isAsBefore={props.isAsBefore}
          />
          {preview.dueAtOnce > 0 && preview.unreadable.count > 0 && (
            <p className={`hint ${classes.alone} wrap`}>
              <Unreadable preview={preview} />
            </p>
          )}
          {alone !== null && <p className={`hint ${classes.alone} wrap`}>{alone}</p>}
          <EffectBars preview={preview} />
          {renderForecast !== undefined && (
            <section>
              <h3>
                {beyond > 0
                  ? t`The next 30 days, ${perSpan}; ${formatCount(beyond)} expire later`
                  : t`The next 30 days, ${perSpan}`}
              </h3>
              <div className={classes.forecast}>{renderForecast(preview)}</div>
            </section>
          )}
          <Samples preview={preview} reads={reads} />
          {preview.never.count > 0 && (
            <section className={`row ${classes.neverRow}`}>
              <h3 className="nowrap">
                <Trans>{formatCount(preview.never.count)} never, because</Trans>
              </h3>
              <NeverReasons
                reasons={preview.never.reasons}
                field={reads}
                collection={collection}
                index={index}
              />
            </section>
          )}
        </div>
      )}
    </aside>
  );
}

/** Keeps a constant height, so that the content below does not move. */
function AtOnce({
  preview,
  collection,
  fate,
  observes,
  drainMs,
  isAsBefore,
}: {
  preview: Preview;
  collection: string;
  fate: string | null;
  observes: boolean;
  drainMs: number | null;
  isAsBefore: boolean;
}) {
  const { dueAtOnce, documents } = preview;
  const isRow = useWords()?.record === 'row';
  if (documents === 0) {
    return (
      <Note icon="info" className={classes.atOnce}>
        <Trans>
          {collection} is empty: there is nothing to count yet. Documents written later expire by this index.
        </Trans>
      </Note>
    );
  }
  if (dueAtOnce === 0 && preview.unreadable.count > 0) {
    return (
      <Note tone="warn" role="status" className={classes.atOnce}>
        <Trans>
          No document expires at once. <Unreadable preview={preview} />
        </Trans>
      </Note>
    );
  }
  if (dueAtOnce === 0) {
    return (
      <Note icon="check" role="status" className={classes.atOnce}>
        <b className="t-semi">{isRow ? t`No row expires at once.` : t`No document expires at once.`}</b>
      </Note>
    );
  }
  if (isAsBefore) {
    return (
      <Note icon="info" role="status" className={classes.atOnce}>
        {isRow ? (
          <Trans>
            <Plural value={dueAtOnce} one="# row is" other="# rows are" /> due by it already. The change makes
            no others due.
          </Trans>
        ) : (
          <Trans>
            <Plural value={dueAtOnce} one="# document is" other="# documents are" /> due by it already. The
            change makes no others due.
          </Trans>
        )}
      </Note>
    );
  }
  if (observes) {
    return (
      <Note icon="search" role="status" className={classes.atOnce}>
        <Trans>
          <b className="t-semi">It observes and removes nothing.</b> {formatCount(dueAtOnce)},{' '}
          {formatShare(dueAtOnce / documents)} of {collection}, would be due at once.
        </Trans>
      </Note>
    );
  }
  return (
    <Note tone="bad" icon="overdue" role="status" className={classes.atOnce}>
      {isRow ? (
        <Trans>
          <b className="t-semi">
            <Plural value={dueAtOnce} one="# row expires" other="# rows expire" /> at once
          </b>
          , {formatShare(dueAtOnce / documents)} of {collection}.
        </Trans>
      ) : (
        <Trans>
          <b className="t-semi">
            <Plural value={dueAtOnce} one="# document expires" other="# documents expire" /> at once
          </b>
          , {formatShare(dueAtOnce / documents)} of {collection}.
        </Trans>
      )}{' '}
      {fate}
      {drainMs !== null && fate === null && t`Drained in ${formatDrain(drainMs)} at the present limits.`}
    </Note>
  );
}

function Uncounted({ error, hasOld, onRetry }: { error: unknown; hasOld: boolean; onRetry: () => void }) {
  return (
    <Note
      tone="warn"
      role="alert"
      className={classes.atOnce}
      action={<Button small onClick={onRetry}>{t`Count again`}</Button>}
    >
      {problemOf(error).message}
      {hasOld && <> {t`The figures below are of the last count.`}</>}
    </Note>
  );
}
