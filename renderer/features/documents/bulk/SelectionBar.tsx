import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { Selected } from '../../../components/data-grid/grid-selection.ts';
import { formatCount } from '../../../i18n/format.ts';
import classes from '../documents.module.css';
import type { ExpirationEdit } from '../expiration/expiration-edit.ts';
import { formatRemoved } from '../staging/find-removed.ts';
import { SetExpiration } from '../staging/SetExpiration.tsx';

interface SelectionBarProps {
  selected: Selected<DocumentRecord>;
  loaded: number;
  /** Number of matching documents; null: unknown without reading them. */
  matches: number | null;
  /** Selected documents that expired or were deleted since they were selected. */
  removed: number;
  isSetting: boolean;
  onSetting: (open: boolean) => void;
  onStage: (edit: ExpirationEdit) => void;
  onSelectLoaded: () => void;
  /** Null: all matching documents are in memory. */
  onSelectMatching: (() => void) | null;
  onDelete: () => void;
  onExport: () => void;
  onClear: () => void;
}

/** Replaces the state filter while documents are selected. */
export function SelectionBar(props: SelectionBarProps) {
  const { selected, loaded, isSetting, onSetting, onStage } = props;
  return (
    <section className={classes.states} aria-label="Selection">
      <span className="chosen" role="status">
        <Icon name="check" size={12} />
        {formatCount(selected.size)} selected
      </span>
      {props.removed > 0 && (
        <span className="t-12 t-2 nowrap" role="status">
          {formatRemoved(props.removed)}
        </span>
      )}
      {loaded > selected.size && (
        <Button variant="ghost" small onClick={props.onSelectLoaded}>
          Select all {formatCount(loaded)} loaded
        </Button>
      )}
      {props.onSelectMatching !== null && (
        <Button variant="ghost" small onClick={props.onSelectMatching}>
          Select all {props.matches === null ? '' : `${formatCount(props.matches)} `}matching
        </Button>
      )}
      <span className="spacer" />
      <SetExpiration
        shortcut="E"
        selected={selected}
        isOpen={isSetting}
        onOpen={onSetting}
        onStage={onStage}
      />
      <Button variant="ghost" small icon="undo" onClick={() => onStage({ kind: 'clear' })}>
        Clear expiration
      </Button>
      <Button variant="ghost" small icon="download" onClick={props.onExport}>
        Export…
      </Button>
      <Button variant="ghost" small icon="trash" className="danger-text" onClick={props.onDelete}>
        Delete…
      </Button>
      <IconButton icon="x" iconSize={12} label="Clear selection" shortcut="Esc" onClick={props.onClear} />
    </section>
  );
}
