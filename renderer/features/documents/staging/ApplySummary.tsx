import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useEffectEvent } from 'react';
import { problemOf } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { formatCount, formatDuration } from '../../../i18n/format.ts';
import { type ApplyResult, isRemoved } from './apply-edits.ts';

interface ApplySummaryProps {
  result: ApplyResult;
  /** Edits that a retry may write. */
  retriable: number;
  onUndo: (() => void) | null;
  onRetry: () => void;
  onShowFailures: () => void;
  onDismiss: () => void;
}

/** Time after which a successful result disappears, ms: enough to read it and to undo. */
const SHOWN_MS = 30_000;

/** Result of writing staged edits, with retry and undo. */
export function ApplySummary(props: ApplySummaryProps) {
  const { result, retriable, onDismiss } = props;
  const { failed, left } = result;
  const isGood = failed.length === 0 && left === 0;
  const dismiss = useEffectEvent(onDismiss);
  useEffect(() => {
    // Other results stay until they are closed.
    if (!isGood) return;
    const timer = setTimeout(() => dismiss(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isGood]);
  return (
    <section className={`stage ${isGood ? '' : 'bad'}`} aria-label={t`Result`}>
      <Icon name={isGood ? 'check' : 'err'} className={isGood ? 'c-ok' : 'c-overdue'} />
      <span className="wrap" role={isGood ? 'status' : 'alert'}>
        <b className="t-semi">{formatResult(result)}</b>{' '}
        <span className="t-2">
          {formatRest(result)} {formatDuration(result.elapsedMs)}.
        </span>
      </span>
      <span className="spacer" />
      {props.onUndo !== null && (
        <Button
          variant="ghost"
          icon="undo"
          shortcut="Ctrl Z"
          title={t`Writes the former expirations`}
          onClick={props.onUndo}
        >{t`Undo`}</Button>
      )}
      {failed.length > 0 && <Button onClick={props.onShowFailures}>{t`Show reasons`}</Button>}
      {retriable > 0 && (
        <Button variant="primary" onClick={props.onRetry}>
          <Trans>Retry {formatCount(retriable)}</Trans>
        </Button>
      )}
      <Button variant="ghost" onClick={onDismiss}>{t`Done`}</Button>
    </section>
  );
}

/**
 * Returns `3 set, 2 expired or deleted, 1 failed.` After a lost connection the last chunk may have been written.
 * @internal
 */
export function formatResult({ succeeded, failed, left, error, unchanged = 0 }: ApplyResult): string {
  const gone = failed.filter(isRemoved).length;
  const count = formatCount(succeeded.length - unchanged);
  const parts = [t`${count} set`];
  if (unchanged > 0) parts.push(t`${formatCount(unchanged)} left unchanged`);
  if (gone > 0) parts.push(t`${formatCount(gone)} expired or deleted`);
  if (failed.length > gone) parts.push(t`${formatCount(failed.length - gone)} failed`);
  if (left > 0)
    parts.push(error === null ? t`${formatCount(left)} not written` : t`${formatCount(left)} not confirmed`);
  return `${parts.join(', ')}.`;
}

function formatRest({ succeeded, failed, left, error }: ApplyResult): string {
  if (error !== null) {
    const { message } = problemOf(error);
    // The engine's message is about the failed chunk only.
    return succeeded.length > 0
      ? t`Others: ${message} Unconfirmed edits stay staged.`
      : t`${message} Unconfirmed edits stay staged.`;
  }
  if (left > 0) return t`Edits not written stay staged; the others are durable.`;
  const gone = failed.filter(isRemoved).length;
  if (failed.length > gone) return t`Failed documents stay selected; the others are durable.`;
  if (gone > 0) return t`Edits of expired or deleted documents were dropped; the others are durable.`;
  return t`All edits are durable.`;
}
