import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
    <section className={classes.states} aria-label={t`Selection`}>
      <span className="chosen" role="status">
        <Icon name="check" size={12} />
        <Trans>{formatCount(selected.size)} selected</Trans>
      </span>
      {props.removed > 0 && (
        <span className="t-12 t-2 nowrap" role="status">
          {formatRemoved(props.removed)}
        </span>
      )}
      {loaded > selected.size && (
        <Button variant="ghost" small onClick={props.onSelectLoaded}>
          <Trans>Select all {formatCount(loaded)} loaded</Trans>
        </Button>
      )}
      {props.onSelectMatching !== null && (
        <Button variant="ghost" small onClick={props.onSelectMatching}>
          {props.matches === null
            ? t`Select all matching`
            : t`Select all ${formatCount(props.matches)} matching`}
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
      <Button
        variant="ghost"
        small
        icon="undo"
        onClick={() => onStage({ kind: 'clear' })}
      >{t`Clear expiration`}</Button>
      <Button variant="ghost" small icon="download" onClick={props.onExport}>{t`Export…`}</Button>
      <Button
        variant="ghost"
        small
        icon="trash"
        className="danger-text"
        onClick={props.onDelete}
      >{t`Delete…`}</Button>
      <IconButton icon="x" iconSize={12} label={t`Clear selection`} shortcut="Esc" onClick={props.onClear} />
    </section>
  );
}
