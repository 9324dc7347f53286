import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { formatCount } from '../../../../shared/model/format.ts';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { Selected } from '../../../components/data-grid/grid-selection.ts';
import type { ExpirationEdit } from '../expiration/expiration-edit.ts';
import { goneInWords } from '../staging/find-removed.ts';
import { SetExpiration } from '../staging/SetExpiration.tsx';

interface SelectionBarProps {
  chosen: Selected<DocumentRecord>;
  loaded: number;
  /** How many match; null where only reading them all could tell. */
  matches: number | null;
  /** Of them, how many left since they were chosen. */
  gone: number;
  isSetting: boolean;
  onSetting: (open: boolean) => void;
  onStage: (edit: ExpirationEdit) => void;
  onSelectLoaded: () => void;
  /** Null where what is loaded is all there is. */
  onSelectMatching: (() => void) | null;
  onDelete: () => void;
  onExport: () => void;
  onClear: () => void;
}

/** In place of the state filter while documents are chosen: what can be done with them. */
export function SelectionBar(props: SelectionBarProps) {
  const { chosen, loaded, isSetting, onSetting, onStage } = props;
  return (
    <section className="states" aria-label="Selection">
      <span className="chosen" role="status">
        <Icon name="check" size={12} />
        {formatCount(chosen.size)} selected
      </span>
      {props.gone > 0 && (
        <span className="t-12 t-2 nowrap" role="status">
          {goneInWords(props.gone)}
        </span>
      )}
      {loaded > chosen.size && (
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
      <SetExpiration shortcut="E" chosen={chosen} isOpen={isSetting} onOpen={onSetting} onStage={onStage} />
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
