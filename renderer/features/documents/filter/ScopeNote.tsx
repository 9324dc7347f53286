import { IconButton } from '../../../components/controls/Button.tsx';
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
        {reason === null ? 'Governed by ' : `Never by ${index === null ? 'any index' : ''}`}
        {index !== null && <span className="mono">{index}</span>}
        {reason !== null && `: ${reason}`}
      </span>
      <IconButton
        icon="x"
        iconSize={12}
        label="Clear index filter"
        onClick={() => onChange({ index: null, reason: null })}
      />
    </span>
  );
}
