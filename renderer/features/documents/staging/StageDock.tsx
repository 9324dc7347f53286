import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useRefusal } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Meter } from '../../../components/figures/Meter.tsx';
import { useAtTick, useZone } from '../../../components/time/clock.ts';
import { formatCount } from '../../../i18n/format.ts';
import classes from '../documents.module.css';
import { formatEdit } from '../expiration/expiration-edit.ts';
import { ApplySummary } from './ApplySummary.tsx';
import { formatRemoved } from './find-removed.ts';
import { groups, type Staged } from './staged-edits.ts';
import type { ApplyState } from './use-apply.ts';

interface StageDockProps {
  staged: Staged;
  /** Staged documents that expired or were deleted since they were staged. */
  removed: number;
  apply: ApplyState;
  canUndo: boolean;
  onUndo: () => void;
  /** Stages edits that revert the last run; null: there is nothing to revert. */
  onUndoApplied: (() => void) | null;
  onDiscard: () => void;
  onReview: () => void;
  onApply: () => void;
  onCancel: () => void;
  onRetry: () => void;
  onShowFailures: () => void;
  onDismiss: () => void;
}

/** Bar with staged edits, the progress of writing them, or its result. */
export function StageDock(props: StageDockProps) {
  const { staged, apply } = props;
  const refusal = useRefusal('documents.put');
  if (apply.is === 'writing')
    return <Writing done={apply.done} total={apply.total} onCancel={props.onCancel} />;
  if (apply.is === 'ended') {
    return (
      <ApplySummary
        result={apply.result}
        retriable={staged.size}
        onUndo={props.onUndoApplied}
        onRetry={props.onRetry}
        onShowFailures={props.onShowFailures}
        onDismiss={props.onDismiss}
      />
    );
  }
  if (staged.size === 0) return null;
  return (
    <section className="stage" aria-label={t`Staged edits`}>
      <Icon name="edit" className="c-accent" />
      <span className="ell" role="status">
        <b className="t-semi">
          <Plural value={staged.size} one="# staged edit." other="# staged edits." />
        </b>{' '}
        <span className="t-2">
          <StagedSummary staged={staged} /> {props.removed > 0 && `${formatRemoved(props.removed)}. `}
          <Trans>Nothing is written yet.</Trans>
        </span>
      </span>
      <span className="spacer" />
      {props.canUndo && (
        <Button variant="ghost" icon="undo" shortcut="Ctrl Z" onClick={props.onUndo}>{t`Undo`}</Button>
      )}
      <Button variant="ghost" onClick={props.onDiscard}>{t`Discard`}</Button>
      <Button onClick={props.onReview}>{t`Review…`}</Button>
      <Button
        variant="primary"
        shortcut="Ctrl ↵"
        disabled={refusal !== null}
        title={refusal ?? undefined}
        onClick={props.onApply}
      >
        <Trans>Apply to {formatCount(staged.size)}</Trans>
      </Button>
    </section>
  );
}

const NAMED_GROUPS = 3;

function StagedSummary({ staged }: { staged: Staged }) {
  const [zone] = useZone();
  const found = groups(staged);
  return useAtTick(now => {
    const named = found
      .slice(0, NAMED_GROUPS)
      .map(({ edit, edits }) => `${formatCount(edits.length)} ${formatEdit(edit, now, zone)}`);
    const more = found.length - named.length;
    const listed = named.join(', ');
    return more > 0
      ? t`${listed} and ${plural(more, { one: '# more edit', other: '# more edits' })}.`
      : `${listed}.`;
  });
}

function Writing({ done, total, onCancel }: { done: number; total: number; onCancel: () => void }) {
  return (
    <section className="stage" aria-label={t`Staged edits`}>
      <Icon name="edit" className="c-accent" />
      <b className="t-semi nowrap">
        <Trans>
          Writing {formatCount(done)} of {formatCount(total)}
        </Trans>
      </b>
      <span className={classes.stageMeter}>
        <Meter label={t`Written`} done={done} total={total} />
      </span>
      <Button onClick={onCancel}>{t`Cancel`}</Button>
    </section>
  );
}
