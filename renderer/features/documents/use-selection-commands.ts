import { type RefObject, useCallback } from 'react';
import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import { useRefusal } from '../../api.ts';
import type { ActiveRow } from '../../components/data-grid/use-active-row.ts';
import type { GridSelection } from '../../components/data-grid/use-grid-selection.ts';
import type { GridHandle } from '../../components/data-grid/use-virtual-grid.ts';
import type { Matching } from './bulk/use-matching.ts';
import type { ExpirationEdit } from './expiration/expiration-edit.ts';
import { stage } from './staging/staged-edits.ts';
import type { StagedEdits } from './staging/staged-store.ts';
import type { AppliedStaged } from './staging/use-apply-staged.ts';

interface SelectionCommandOptions {
  active: Pick<ActiveRow<DocumentRecord>, 'row'>;
  selection: Pick<GridSelection<DocumentRecord>, 'selected' | 'set' | 'clear'>;
  matching: Pick<Matching, 'isSelected' | 'deselect' | 'propose'>;
  edits: Pick<StagedEdits, 'change'>;
  applied: Pick<AppliedStaged, 'forget'>;
  table: RefObject<GridHandle | null>;
  /** Opens the form of an expiration. */
  onSet: () => void;
  onDelete: (ids: readonly string[]) => void;
  onExport: (ids: readonly string[] | null) => void;
}

/** Commands on the selected documents, on every matching document, or otherwise on the active one. */
export function useSelectionCommands(options: SelectionCommandOptions) {
  const { active, selection, matching, edits, applied, table, onSet, onDelete, onExport } = options;
  const { selected, set: select } = selection;
  const { deselect } = matching;
  const mayWrite = useRefusal('documents.put') === null;
  const target: ReadonlyMap<string, DocumentRecord> =
    selected.size > 0 || active.row === undefined ? selected : new Map([[active.row._id, active.row]]);

  const clearSelection = () => {
    matching.deselect();
    selection.clear();
    table.current?.focus();
  };
  const setExpiration = () => {
    if (!mayWrite) return;
    if (!matching.isSelected) {
      if (target.size === 0) return;
      select(target);
    }
    onSet();
  };
  const setExpirationOf = useCallback(
    (row: DocumentRecord) => {
      deselect();
      select(new Map([[row._id, row]]));
      onSet();
    },
    [deselect, select, onSet],
  );
  const remove = () => {
    if (!mayWrite) return;
    if (matching.isSelected) matching.propose({ do: 'delete' });
    else if (target.size > 0) onDelete([...target.keys()]);
  };
  const stageFor = (rows: Iterable<DocumentRecord>, edit: ExpirationEdit) => {
    applied.forget();
    edits.change(staged => stage(staged, rows, edit));
  };
  const clearExpiration = () => {
    if (matching.isSelected) matching.propose({ do: 'set', edit: { kind: 'clear' } });
    else stageFor(target.values(), { kind: 'clear' });
  };
  const exportTarget = () => onExport(matching.isSelected ? null : [...target.keys()]);
  return {
    mayWrite,
    target,
    clearSelection,
    setExpiration,
    setExpirationOf,
    clearExpiration,
    remove,
    stageFor,
    exportTarget,
  };
}
