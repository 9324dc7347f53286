import { t } from '@lingui/core/macro';
import { Button } from '../../components/controls/Button.tsx';
import { Note } from '../../components/status/Note.tsx';
import type { FileProblem } from './file/file-problem.ts';
import { pickFile } from './file/import-request.ts';

/** An unreadable file: the problem, its line, and what to do. */
export function BadFile({ problem, onClose }: { problem: FileProblem; onClose: () => void }) {
  return (
    <>
      <Note tone="bad">
        <b className="t-semi">{problem.message}</b>
        <p>{problem.todo}</p>
      </Note>
      <p className="hint">{t`Nothing was imported.`}</p>
      <div className="row end">
        <Button onClick={onClose}>{t`Close`}</Button>
        <Button
          variant="primary"
          data-autofocus
          onClick={() => pickFile(null)}
        >{t`Choose another file…`}</Button>
      </div>
    </>
  );
}
