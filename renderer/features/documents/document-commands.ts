import { plural, t } from '@lingui/core/macro';
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

/** Commands of the palette that are possible at present. */
export function documentCommands(acts: DocumentActions): PageCommand[] {
  const which = formatTarget(acts.target);
  const always: PageCommand[] = [
    { label: t`Filter documents`, icon: 'filter', shortcut: '/', run: acts.onFilter },
    { label: t`Select all loaded documents`, icon: 'check', shortcut: 'Ctrl A', run: acts.onSelectLoaded },
    { label: t`Select all matching documents`, icon: 'check', run: acts.onSelectMatching },
  ];
  if (which !== null) always.push({ label: t`Export ${which}…`, icon: 'download', run: acts.onExport });
  if (!acts.mayWrite) return always;
  const writes: PageCommand[] = [{ label: t`New document…`, icon: 'plus', run: acts.onNew }, ...always];
  if (which !== null) {
    writes.push(
      { label: t`Set expiration of ${which}…`, icon: 'glass', shortcut: 'E', run: acts.onSet },
      { label: t`Clear expiration of ${which}`, icon: 'undo', run: acts.onClear },
      { label: t`Delete ${which}…`, icon: 'trash', destroys: true, shortcut: 'Del', run: acts.onDelete },
    );
  }
  if (acts.staged > 0) {
    const edits = plural(acts.staged, { one: '# staged edit', other: '# staged edits' });
    writes.push(
      { label: t`Review ${edits}…`, icon: 'edit', run: acts.onReview },
      {
        label: t`Apply ${edits}`,
        icon: 'check',
        shortcut: 'Ctrl ↵',
        disabled: !acts.canApply,
        run: acts.onApply,
      },
      { label: t`Discard ${edits}`, icon: 'x', run: acts.onDiscard },
    );
  }
  if (acts.onUndo !== null)
    writes.push({ label: t`Undo`, icon: 'undo', shortcut: 'Ctrl Z', run: acts.onUndo });
  return writes;
}

function formatTarget(target: DocumentActions['target']): string | null {
  if (target === 'matching') return t`all matching documents`;
  if (target === 0) return null;
  return target === 1 ? t`this document` : t`${formatCount(target)} documents`;
}
