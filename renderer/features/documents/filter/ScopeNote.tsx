import { IconButton } from '../../../components/controls/Button.tsx';
import type { DocumentsQuery } from '../list/documents-query.ts';

interface ScopeNoteProps {
  query: DocumentsQuery;
  onChange: (change: Partial<DocumentsQuery>) => void;
}

/** Which index, and which of its reasons, the list was narrowed to from elsewhere; and the way back. */
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
        label="Of any index"
        onClick={() => onChange({ index: null, reason: null })}
      />
    </span>
  );
}
