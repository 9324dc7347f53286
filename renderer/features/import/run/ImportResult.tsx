import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Job } from '../../../../shared/contract/jobs.ts';
import { useWords } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { CopyButton } from '../../../components/controls/CopyButton.tsx';
import { focusOnMount } from '../../../components/controls/focus.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { DataTable } from '../../../components/data-table/DataTable.tsx';
import { columnsFor, useDataTable } from '../../../components/data-table/data-table.ts';
import { Note } from '../../../components/status/Note.tsx';
import { formatCount } from '../../../i18n/format.ts';
import { formatRecordCount } from '../../../i18n/format-engine-words.ts';
import { formatRejected } from '../file/bad-lines.ts';
import type { ImportEnd } from './import-end.ts';

interface ImportResultProps {
  end: Exclude<ImportEnd, { is: 'declined' }>;
  collection: string;
  onClose: () => void;
  onOpen: () => void;
}

/** Result of an import: documents stored, documents rejected and why. */
export function ImportResult({ end, collection, onClose, onOpen }: ImportResultProps) {
  const { job } = end;
  const stored = (job?.inserted ?? 0) + (job?.updated ?? 0);
  return (
    <>
      {end.is === 'failed' && (
        <Note tone="bad">
          <b className="t-semi">{end.what}</b>
          <p>{end.todo}</p>
          <span className="t-3 mono t-11">{end.code}</span>
        </Note>
      )}
      {end.is === 'cancelled' && <Note>{t`Cancelled. What is stored so far is kept.`}</Note>}
      {job !== null && <Stored job={job} stored={stored} done={end.is === 'done'} />}
      {job?.rejected !== undefined && job.rejected.length > 0 && <Rejected job={job} />}
      <div className="row end">
        <Button onClick={onClose}>{t`Close`}</Button>
        {stored > 0 && (
          <Button variant="primary" ref={focusOnMount} onClick={onOpen}>
            <span className="ell open-label">
              <Trans>Open {collection}</Trans>
            </span>
          </Button>
        )}
      </div>
    </>
  );
}

function Stored({ job, stored, done }: { job: Job; stored: number; done: boolean }) {
  const { inserted = 0, updated = 0, expiredOnArrival = 0, rejectedCount = 0, committedLines = 0 } = job;
  const counted = formatRecordCount(useWords(), stored);
  return (
    <div>
      <p>
        {done && stored > 0 && <Icon name="check" size={14} className="c-ok" />}{' '}
        {rejectedCount > 0 ? (
          <Trans>
            <b className="t-semi">{counted} stored</b>, {formatCount(rejectedCount)} rejected.
          </Trans>
        ) : (
          <Trans>
            <b className="t-semi">{counted} stored</b>.
          </Trans>
        )}
      </p>
      <p className="t-2">
        <Trans>
          {formatCount(inserted)} new, {formatCount(updated)} replaced.
        </Trans>{' '}
        {expiredOnArrival > 0 && (
          <Trans>
            {formatCount(expiredOnArrival)} were past their deadline on arrival and expire at once.
          </Trans>
        )}{' '}
        {!done && <Trans>Every line up to {formatCount(committedLines)} is durable.</Trans>}
      </p>
    </div>
  );
}

type RejectedLine = NonNullable<Job['rejected']>[number];
const NONE: RejectedLine[] = [];
const column = columnsFor<RejectedLine>();

const COLUMNS = column.columns([
  column.accessor('line', {
    header: t`Line`,
    meta: { className: 'line', isNumeric: true },
    cell: ({ row: { original } }) => formatCount(original.line),
  }),
  column.accessor('code', { header: t`Code`, meta: { className: 'reason', cellClassName: 'mono t-2' } }),
  column.accessor('message', {
    header: t`Reason`,
    cell: ({ row: { original } }) => <span title={original.message}>{original.message}</span>,
  }),
]);

function Rejected({ job }: { job: Job }) {
  const { rejected = NONE, rejectedCount = 0 } = job;
  const table = useDataTable({ columns: COLUMNS, data: rejected, getRowId: ({ line }) => String(line) });
  return (
    <section aria-label={t`Rejected lines`} className="rejected">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must take the focus */}
      <div className="list" tabIndex={0}>
        <DataTable table={table} label={t`Rejected lines`} />
      </div>
      <div className="row">
        <p className="hint grow">
          {rejectedCount > rejected.length &&
            t`The first ${formatCount(rejected.length)} of ${formatCount(rejectedCount)}.`}
        </p>
        <CopyButton text={formatRejected(rejected)} />
      </div>
    </section>
  );
}
