import type { PageCommand } from '../../components/navigation/page-commands.ts';
import { formatCount } from '../../i18n/format.ts';

interface DocumentActions {
  mayWrite: boolean;
  /** Number of documents to change: selected ones, else the active row; `matching`: every matching document. */
  target: number | 'matching';
  staged: number;
  canApply: boolean;
  onNew: () => void;
  onFilter: () => void;
  onSelectLoaded: () => void;
  onSelectMatching: () => void;
  onSet: () => void;
  onClear: () => void;
  onDelete: () => void;
  onExport: () => void;
  onReview: () => void;
  onApply: () => void;
  onDiscard: () => void;
  /** Null: there is nothing to undo. */
  onUndo: (() => void) | null;
}

/** Commands of the palette that are possible now. */
export function documentCommands(acts: DocumentActions): PageCommand[] {
  const which = formatTarget(acts.target);
  const always: PageCommand[] = [
    { label: 'Filter documents', icon: 'filter', shortcut: '/', run: acts.onFilter },
    { label: 'Select all loaded documents', icon: 'check', shortcut: 'Ctrl A', run: acts.onSelectLoaded },
    { label: 'Select all matching documents', icon: 'check', run: acts.onSelectMatching },
  ];
  if (which !== null) always.push({ label: `Export ${which}…`, icon: 'download', run: acts.onExport });
  if (!acts.mayWrite) return always;
  const writes: PageCommand[] = [{ label: 'New document…', icon: 'plus', run: acts.onNew }, ...always];
  if (which !== null) {
    writes.push(
      { label: `Set expiration of ${which}…`, icon: 'glass', shortcut: 'E', run: acts.onSet },
      { label: `Clear expiration of ${which}`, icon: 'undo', run: acts.onClear },
      { label: `Delete ${which}…`, icon: 'trash', destroys: true, shortcut: 'Del', run: acts.onDelete },
    );
  }
  if (acts.staged > 0) {
    const edits = `${formatCount(acts.staged)} staged ${acts.staged === 1 ? 'edit' : 'edits'}`;
    writes.push(
      { label: `Review ${edits}…`, icon: 'edit', run: acts.onReview },
      {
        label: `Apply ${edits}`,
        icon: 'check',
        shortcut: 'Ctrl ↵',
        disabled: !acts.canApply,
        run: acts.onApply,
      },
      { label: `Discard ${edits}`, icon: 'x', run: acts.onDiscard },
    );
  }
  if (acts.onUndo !== null)
    writes.push({ label: 'Undo', icon: 'undo', shortcut: 'Ctrl Z', run: acts.onUndo });
  return writes;
}

function formatTarget(target: DocumentActions['target']): string | null {
  if (target === 'matching') return 'all matching documents';
  if (target === 0) return null;
  return target === 1 ? 'this document' : `${formatCount(target)} documents`;
}
