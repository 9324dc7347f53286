import { useEffect, useRef } from 'react';
import { formatCount, formatDuration } from '../../../shared/model/format.ts';
import { problemOf } from '../../api.ts';
import { Button } from '../../components/Button.tsx';
import { useAtTick, useZone } from '../../components/clock.ts';
import { Icon } from '../../components/Icon.tsx';
import { Meter } from '../../components/Meter.tsx';
import { type ApplyResult, canRetry } from './applyEdits.ts';
import { editInWords } from './expirationEdit.ts';
import { groups, type Staged } from './staging.ts';
import type { ApplyState } from './useApply.ts';

interface StageDockProps {
  staged: Staged;
  apply: ApplyState;
  canUndo: boolean;
  onUndo: () => void;
  onDiscard: () => void;
  onReview: () => void;
  onApply: () => void;
  onCancel: () => void;
  onRetry: () => void;
  onShowFailures: () => void;
  onDismiss: () => void;
}

/** What is pending, being written, or was written: one bar, in that order. Nothing when there is nothing. */
export function StageDock(props: StageDockProps) {
  const { staged, apply } = props;
  if (apply.is === 'writing')
    return <Writing done={apply.done} total={apply.total} onCancel={props.onCancel} />;
  if (apply.is === 'ended') return <Ended {...props} result={apply.result} />;
  if (staged.size === 0) return null;
  return (
    <section className="stage" aria-label="Staged edits">
      <Icon name="edit" className="c-accent" />
      <span className="ell" role="status">
        <b className="t-semi">
          {formatCount(staged.size)} staged edit{staged.size === 1 ? '' : 's'}.
        </b>{' '}
        <span className="t-2">
          <StagedInWords staged={staged} /> Nothing is written yet.
        </span>
      </span>
      <span className="spacer" />
      {props.canUndo && (
        <Button variant="ghost" icon="undo" shortcut="Ctrl Z" onClick={props.onUndo}>
          Undo
        </Button>
      )}
      <Button variant="ghost" onClick={props.onDiscard}>
        Discard
      </Button>
      <Button onClick={props.onReview}>Review…</Button>
      <Button variant="primary" shortcut="Ctrl ↵" onClick={props.onApply}>
        Apply to {formatCount(staged.size)}
      </Button>
    </section>
  );
}

const NAMED_GROUPS = 3;

function StagedInWords({ staged }: { staged: Staged }) {
  const [zone] = useZone();
  const found = groups(staged);
  return useAtTick(now => {
    const named = found
      .slice(0, NAMED_GROUPS)
      .map(({ edit, edits }) => `${formatCount(edits.length)} ${editInWords(edit, now, zone)}`);
    const more = found.length - named.length;
    return `${named.join(', ')}${more > 0 ? ` and ${more} more kinds` : ''}.`;
  });
}

function Writing({ done, total, onCancel }: { done: number; total: number; onCancel: () => void }) {
  return (
    <section className="stage" aria-label="Staged edits">
      <Icon name="edit" className="c-accent" />
      <b className="t-semi nowrap">
        Writing {formatCount(done)} of {formatCount(total)}
      </b>
      <span className="stage-meter">
        <Meter label="Written" done={done} total={total} />
      </span>
      <Button onClick={onCancel}>Cancel</Button>
    </section>
  );
}

const SAID_FOR_MS = 8_000;

function Ended(props: StageDockProps & { result: ApplyResult }) {
  const { succeeded, failed, left, elapsedMs, error } = props.result;
  const retriable = failed.filter(canRetry).length + left;
  const isGood = failed.length === 0 && left === 0;
  const { onDismiss } = props;
  const dismiss = useRef(onDismiss);
  dismiss.current = onDismiss;
  useEffect(() => {
    // Good news may go by itself; a failure stays until it was read.
    if (!isGood) return;
    const timer = setTimeout(() => dismiss.current(), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [isGood]);
  return (
    <section className={`stage ${isGood ? '' : 'bad'}`} aria-label="Result">
      <Icon name={isGood ? 'check' : 'err'} className={isGood ? 'c-ok' : 'c-overdue'} />
      <span className="ell" role={isGood ? 'status' : 'alert'}>
        <b className="t-semi">{resultInWords(succeeded.length, failed.length, left)}</b>{' '}
        <span className="t-2">
          {error === null ? whatOfTheRest(failed.length, left) : problemOf(error).message}{' '}
          {formatDuration(elapsedMs)}.
        </span>
      </span>
      <span className="spacer" />
      {failed.length > 0 && <Button onClick={props.onShowFailures}>Show why</Button>}
      {retriable > 0 && (
        <Button variant="primary" onClick={props.onRetry}>
          Retry the {formatCount(retriable)} that can succeed
        </Button>
      )}
      <Button variant="ghost" onClick={onDismiss}>
        Done
      </Button>
    </section>
  );
}

function resultInWords(succeeded: number, failed: number, left: number): string {
  const parts = [`${formatCount(succeeded)} set`];
  if (failed > 0) parts.push(`${formatCount(failed)} failed`);
  if (left > 0) parts.push(`${formatCount(left)} not written`);
  return `${parts.join(', ')}.`;
}

function whatOfTheRest(failed: number, left: number): string {
  if (left > 0) return 'What was not written stays staged; everything else is done and durable.';
  if (failed > 0) return 'Those that failed stay selected; everything else is done and durable.';
  return 'All done and durable.';
}
