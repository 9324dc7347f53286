import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconButton } from '../../../components/controls/Button.tsx';
import { formatReason } from '../../../components/status/never-reason.ts';
import type { DocumentsQuery } from '../list/documents-query.ts';

interface ScopeNoteProps {
  query: DocumentsQuery;
  onChange: (change: Partial<DocumentsQuery>) => void;
}

/** Names the index and the reason that the URL filters by, with a button to clear them. */
export function ScopeNote({ query: { index, reason }, onChange }: ScopeNoteProps) {
  if (index === null && reason === null) return null;
  return (
    <span className="row t-12 scope">
      <span className="ell">
        <Scope index={index} because={reason === null ? null : formatReason(reason)} />
      </span>
      <IconButton
        icon="x"
        iconSize={12}
        label={t`Clear index filter`}
        onClick={() => onChange({ index: null, reason: null })}
      />
    </span>
  );
}

function Scope({ index, because }: { index: string | null; because: string | null }) {
  if (index === null) return <Trans>Never by any index: {because}</Trans>;
  const name = <span className="mono">{index}</span>;
  return because === null ? (
    <Trans>Governed by {name}</Trans>
  ) : (
    <Trans>
      Never by {name}: {because}
    </Trans>
  );
}
