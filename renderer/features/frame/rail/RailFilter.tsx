import { formatCount } from '../../../../shared/model/format.ts';
import { Icon } from '../../../components/controls/Icon.tsx';

interface RailFilterProps {
  value: string;
  /** Number of collections that match; null: no filter. */
  count: number | null;
  onChange: (text: string) => void;
  /** Enter: opens the first match. */
  onEnter: () => void;
  /** Down: moves the focus to the first match. */
  onDown: () => void;
}

/** Filters the collections of the sidebar by a part of their name. */
export function RailFilter({ value, count, onChange, onEnter, onDown }: RailFilterProps) {
  return (
    <label className="field rail-filter">
      <Icon name="filter" size={12} className="t-3" />
      <input
        type="search"
        aria-label="Filter collections"
        placeholder="Filter collections"
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={event => onChange(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') onEnter();
          else if (event.key === 'ArrowDown') onDown();
          else if (event.key === 'Escape' && value !== '') onChange('');
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {count !== null && (
        <span className="t-11 t-3" role="status">
          {count === 0 ? 'none' : formatCount(count)}
        </span>
      )}
    </label>
  );
}
