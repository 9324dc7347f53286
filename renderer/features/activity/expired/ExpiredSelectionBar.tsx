import { formatCount } from '../../../../shared/model/format.ts';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { usePageCommands } from '../../../components/navigation/page-commands.ts';
import type { ExpiredSelection } from '../expired-entries/use-expired-selection.ts';

interface ChoiceBarProps {
  selection: ExpiredSelection;
  loaded: number;
  /** The collection whose span can be chosen as a whole; null: it cannot, and what would make it so is said. */
  spanOf: string | null;
  isNarrowed: boolean;
  whyNot: string | null;
  onRestore: () => void;
  onPurge: () => void;
}

/** In place of the filters while entries are chosen: what can be done with them. */
export function ChoiceBar({ selection, loaded, spanOf, isNarrowed, whyNot, ...on }: ChoiceBarProps) {
  const { selected, isSpan } = selection;
  const count = formatCount(selected.size);
  const disabled = whyNot !== null;
  const which = isSpan ? 'all selected' : count;
  usePageCommands([
    { label: `Restore ${which}…`, icon: 'undo', disabled, run: on.onRestore },
    { label: `Purge ${which}…`, icon: 'trash', disabled, run: on.onPurge },
  ]);
  return (
    <section className="fbar" aria-label="Selection">
      <span className="chosen" role="status">
        <Icon name="check" size={12} />
        <span className="ell">
          {isSpan ? `All ${isNarrowed ? 'that match ' : ''}in ${spanOf ?? ''}` : `${count} selected`}
        </span>
      </span>
      {selected.size < loaded && !isSpan && (
        <Button variant="ghost" small onClick={selection.selectLoaded}>
          Select all loaded
        </Button>
      )}
      {!isSpan && spanOf !== null && (
        <Button variant="ghost" small onClick={selection.selectSpan}>
          Select all {isNarrowed ? 'that match ' : ''}in <span className="ell span-name">{spanOf}</span>
        </Button>
      )}
      {!isSpan && spanOf === null && (
        <span className="t-12 t-3 ell">Filter by a collection, and by no id, to select all at once.</span>
      )}
      <span className="spacer" />
      <Button
        variant="primary"
        icon="undo"
        disabled={disabled}
        title={whyNot ?? undefined}
        onClick={on.onRestore}
      >
        Restore {isSpan ? 'all' : count}…
      </Button>
      <Button
        variant="ghost"
        icon="trash"
        className="danger-text"
        disabled={disabled}
        title={whyNot ?? undefined}
        onClick={on.onPurge}
      >
        Purge {isSpan ? 'all' : count}…
      </Button>
      <IconButton icon="x" label="Clear selection" shortcut="Esc" onClick={selection.clear} />
    </section>
  );
}
