import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button } from '../../components/controls/Button.tsx';
import { focusOnMount } from '../../components/controls/focus.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { Note } from '../../components/status/Note.tsx';
import { formatBytes, formatCount } from '../../i18n/format.ts';
import { type ExportPlan, fileNameOf } from './export-plan.ts';
import type { ExportEnd } from './export-run.ts';

/** The written file, and the number of documents and fields missing from it. */
export function ExportResult({
  plan,
  end,
  onClose,
}: {
  plan: ExportPlan;
  end: ExportEnd;
  onClose: () => void;
}) {
  const { documents, bytes, incomplete } = end;
  const gone = plan.scope === 'selection' ? (plan.total ?? documents) - documents : 0;
  return (
    <>
      <p role="status">
        <Icon name="check" size={14} className="c-ok" />{' '}
        <Trans>
          <b className="t-semi">
            <Plural value={documents} one="# document" other="# documents" />
          </b>{' '}
          in <span className="mono">{fileNameOf(plan.collection, plan.scope, plan.format)}</span>,{' '}
          {formatBytes(bytes)}.
        </Trans>
      </p>
      {gone > 0 && (
        <Note>
          <Trans>
            {formatCount(gone)} of the selected documents expired or were deleted before they were read.
          </Trans>
        </Note>
      )}
      {incomplete > 0 && (
        <Note tone="warn">
          <Trans>
            <Plural
              value={incomplete}
              one="# document has a field that was added during the export and has no column."
              other="# documents have a field that was added during the export and has no column."
            />{' '}
            Export again to include it.
          </Trans>
        </Note>
      )}
      <div className="row end">
        <Button variant="primary" ref={focusOnMount} onClick={onClose}>{t`Close`}</Button>
      </div>
    </>
  );
}
