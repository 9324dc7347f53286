import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useLive, useRefusal } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Note } from '../../components/status/Note.tsx';
import { formatCount } from '../../i18n/format.ts';
import { pickFile } from './file/import-request.ts';
import { stoppedImports } from './run/stopped-imports.ts';

/** Shows that an import stopped before the end of its file, with a way to continue it. */
export function PartialCollection({ collection }: { collection: string }) {
  const jobs = useLive(state => state.jobs);
  const mayWrite = useRefusal('imports.start') === null;
  const [dismissed, dismiss] = useState<ReadonlySet<string>>(new Set());
  const stopped = stoppedImports(jobs.values(), collection).find(({ job }) => !dismissed.has(job));
  if (stopped === undefined) return null;
  return (
    <Note tone="warn">
      <span className="row">
        <span className="grow">
          <Trans>
            This collection is partial: the import of <b className="t-semi">{stopped.subject}</b> stopped
            after line {formatCount(stopped.line)}.
          </Trans>
        </span>
        {mayWrite && <Button small onClick={() => pickFile(collection)}>{t`Continue import…`}</Button>}
        <Button
          small
          variant="ghost"
          onClick={() => dismiss(new Set([...dismissed, stopped.job]))}
        >{t`Dismiss`}</Button>
      </span>
    </Note>
  );
}
