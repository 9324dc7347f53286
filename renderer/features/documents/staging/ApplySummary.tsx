import { useEffect, useRef } from 'react';
import { formatCount, formatDuration } from '../../../../shared/model/format.ts';
import { problemOf } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { type ApplyResult, isGone } from './apply-edits.ts';

interface ApplyEndedProps {
  result: ApplyResult;
  /** How many are still staged: those that writing again can change. */
  retriable: number;
  onUndo: (() => void) | null;
  onRetry: () => void;
  onShowFailures: () => void;
  onDismiss: () => void;
}

/** Long enough to see what was done, and to want it undone. */
const SAID_FOR_MS = 30_000;

/** What came of writing the staged edits, and what can be done about the rest. */
export function ApplyEnded(props: ApplyEndedProps) {
  const { result, retriable, onDismiss } = props;
  const { failed, left } = result;
  const isGood = failed.length === 0 && left === 0;
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
      <span className="wrap" role={isGood ? 'status' : 'alert'}>
        <b className="t-semi">{resultInWords(result)}</b>{' '}
        <span className="t-2">
          {whatOfTheRest(result)} {formatDuration(result.elapsedMs)}.
        </span>
      </span>
      <span className="spacer" />
      {props.onUndo !== null && (
        <Button
          variant="ghost"
          icon="undo"
          shortcut="Ctrl Z"
          title="Stages the expirations they had before"
          onClick={props.onUndo}
        >
          Undo
        </Button>
      )}
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

/** `3 set, 2 gone, 1 failed.` What an engine that went away was asked for may have been done all the same. */
export function resultInWords({ succeeded, failed, left, error }: ApplyResult): string {
  const gone = failed.filter(isGone).length;
  const parts = [`${formatCount(succeeded.length)} set`];
  if (gone > 0) parts.push(`${formatCount(gone)} gone`);
  if (failed.length > gone) parts.push(`${formatCount(failed.length - gone)} failed`);
  if (left > 0) parts.push(`${formatCount(left)} not ${error === null ? 'written' : 'confirmed'}`);
  return `${parts.join(', ')}.`;
}

/** The engine's words are of the call that failed, not of those before it. */
const restOf = (succeeded: readonly string[]) => (succeeded.length > 0 ? 'The rest: ' : '');

function whatOfTheRest({ succeeded, failed, left, error }: ApplyResult): string {
  if (error !== null)
    return `${restOf(succeeded)}${problemOf(error).message} What was not confirmed stays staged.`;
  if (left > 0) return 'What was not written stays staged; everything else is done and durable.';
  const gone = failed.filter(isGone).length;
  if (failed.length > gone) return 'Those that failed stay selected; everything else is done and durable.';
  if (gone > 0) return 'What is gone expired or was deleted meanwhile; everything else is done and durable.';
  return 'All done and durable.';
}
