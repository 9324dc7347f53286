import type { ExpirationEdit } from './expirationEdit.ts';
import { MatchingBar } from './MatchingBar.tsx';
import { hasMore } from './matching.ts';
import type { PagerSnapshot } from './pagerSnapshot.ts';
import { SelectionBar } from './SelectionBar.tsx';
import type { Matching } from './useMatching.ts';
import type { Selection } from './useSelection.ts';

interface ChosenBarProps {
  matching: Matching;
  /** How many match; null where only reading them all could tell. */
  matches: number | null;
  selection: Selection;
  snapshot: PagerSnapshot;
  /** Of the selection, how many left since they were chosen. */
  gone: number;
  isSetting: boolean;
  onSetting: (open: boolean) => void;
  onStage: (edit: ExpirationEdit) => void;
  onDelete: () => void;
  onClear: () => void;
}

/** What can be done with what is chosen: rows one by one, or all that match, read or not [E3]. */
export function ChosenBar(props: ChosenBarProps) {
  const { matching, matches, selection, snapshot, ...rest } = props;
  if (matching.isChosen) return <MatchingBar {...rest} count={matches} onAsk={matching.ask} />;
  return (
    <SelectionBar
      {...rest}
      chosen={selection.chosen}
      loaded={snapshot.loaded().length}
      onSelectLoaded={selection.selectLoaded}
      onSelectMatching={hasMore(snapshot) ? matching.choose : null}
    />
  );
}
