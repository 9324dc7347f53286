import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { useLive } from '../../../api.ts';
import { Note } from '../../../components/status/Note.tsx';
import { formatProgress } from './BuildProgress.tsx';

/** A new expression that is being built; `PendingChange` shows one that awaits confirmation [D8]. */
export function Successor({ index: { successor, pending, job: id } }: { index: TtlIndex }) {
  const job = useLive(state => (id === null ? undefined : state.jobs.get(id)));
  if (successor === null || pending !== null || successor.source.kind !== 'expression') return null;
  return (
    <Note icon="activity" role="status">
      <b className="t-semi">{t`Building: old expression still in effect.`}</b>{' '}
      {job !== undefined && t`${formatProgress(job)}.`}{' '}
      <Trans>
        New, by {successor.by}: <span className="mono">{successor.source.expression}</span>
      </Trans>
    </Note>
  );
}
