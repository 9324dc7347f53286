import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { formatCount } from '../../../../shared/model/format.ts';
import { useRefusal } from '../../../api.ts';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { GridSelection } from '../../../components/data-grid/use-grid-selection.ts';
import type { ExpirationEdit } from '../expiration/expiration-edit.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';
import { MatchingBar } from './MatchingBar.tsx';
import { hasMore } from './matching-filter.ts';
import { SelectionBar } from './SelectionBar.tsx';
import type { Matching } from './use-matching.ts';

interface ChosenBarProps {
  matching: Matching;
  /** How many match; null where only reading them all could tell. */
  matches: number | null;
  selection: GridSelection<DocumentRecord>;
  snapshot: PagerSnapshot;
  /** Of the selection, how many left since they were chosen. */
  gone: number;
  isSetting: boolean;
  onSetting: (open: boolean) => void;
  onStage: (edit: ExpirationEdit) => void;
  onDelete: () => void;
  onExport: () => void;
  onClear: () => void;
}

/** What can be done with what is chosen: rows one by one, or all that match, read or not [E3]. */
export function ChosenBar(props: ChosenBarProps) {
  const { matching, matches, selection, snapshot, ...rest } = props;
  const refusal = useRefusal('documents.deleteMany');
  if (refusal !== null) return <OnlyChosen {...rest} refusal={refusal} size={selection.selected.size} />;
  if (matching.isChosen) return <MatchingBar {...rest} count={matches} onAsk={matching.ask} />;
  return (
    <SelectionBar
      {...rest}
      chosen={selection.selected}
      matches={matches}
      loaded={snapshot.loaded().length}
      onSelectLoaded={selection.selectLoaded}
      onSelectMatching={hasMore(snapshot) ? matching.choose : null}
    />
  );
}

/** Where nothing may be changed they can be chosen and exported and no more, and it is said why. */
function OnlyChosen({
  refusal,
  size,
  onExport,
  onClear,
}: Pick<ChosenBarProps, 'onExport' | 'onClear'> & { refusal: string; size: number }) {
  return (
    <section className="states" aria-label="Selection">
      <span className="chosen" role="status">
        <Icon name="lock" size={12} />
        {formatCount(size)} selected
      </span>
      <span className="t-12 t-2 ell" title={refusal}>
        {refusal}
      </span>
      <span className="spacer" />
      <Button variant="ghost" small icon="download" onClick={onExport}>
        Export…
      </Button>
      <IconButton icon="x" iconSize={12} label="Clear selection" shortcut="Esc" onClick={onClear} />
    </section>
  );
}
