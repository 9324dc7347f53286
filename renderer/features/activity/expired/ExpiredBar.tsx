import type { ReactNode } from 'react';
import { Button } from '../../../components/controls/Button.tsx';
import { changeQuery } from '../../../components/navigation/location.ts';
import type { ExpiredFilter } from '../expired-entries/expired-filter.ts';
import { FilterMenu } from '../filter/FilterMenu.tsx';
import { SpanFilter } from '../filter/SpanFilter.tsx';
import { TextFilter } from '../filter/TextFilter.tsx';
import { useCollectionChoices } from '../filter/use-collection-choices.ts';
import { useIndexChoices } from '../filter/use-index-choices.ts';
import { PurgeList } from '../purge/PurgeList.tsx';

interface ExpiredBarProps {
  filter: ExpiredFilter;
  /** Why purging is not possible; null: it is. */
  deniedReason: string | null;
  onPurge: () => void;
  children: ReactNode;
}

/** Filters of the expired list. */
export function ExpiredBar({ filter, deniedReason, onPurge, children }: ExpiredBarProps) {
  const collections = useCollectionChoices();
  const indexes = useIndexChoices(filter.collection);
  return (
    <div className="fbar">
      <TextFilter
        label="Filter by id"
        value={filter.text}
        onChange={text => changeQuery({ filter: text === '' ? null : text })}
      />
      <FilterMenu
        label="Collection"
        any="all"
        value={filter.collection}
        choices={collections}
        onChange={collection => changeQuery({ collection, index: null })}
      />
      {filter.collection !== null && (
        <FilterMenu
          label="Index"
          any="all"
          value={filter.index}
          choices={indexes}
          onChange={index => changeQuery({ index })}
        />
      )}
      <SpanFilter from={filter.from} to={filter.to} />
      <Button
        className="filter-menu"
        aria-pressed={filter.isRestorable}
        onClick={() => changeQuery({ restorable: filter.isRestorable ? null : 'true' })}
      >
        Restorable only
      </Button>
      <span className="spacer" />
      {children}
      <PurgeList />
      <Button
        variant="ghost"
        icon="trash"
        className="danger-text"
        disabled={deniedReason !== null}
        title={deniedReason ?? 'Erase restorable copies now'}
        onClick={onPurge}
      >
        Purge…
      </Button>
    </div>
  );
}
