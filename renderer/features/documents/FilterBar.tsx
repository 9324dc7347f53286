import type { Ref } from 'react';
import { useRefusal } from '../../api.ts';
import { Button } from '../../components/Button.tsx';
import { ColumnChooser } from './ColumnChooser.tsx';
import type { ArrangedColumns } from './columnPrefs.ts';
import { DeadlineFilter } from './DeadlineFilter.tsx';
import { FilterField } from './FilterField.tsx';
import type { PagerSnapshot } from './pagerSnapshot.ts';
import type { DocumentsQuery } from './query.ts';

interface FilterBarProps {
  collection: string;
  query: DocumentsQuery;
  onChange: (change: Partial<DocumentsQuery>) => void;
  snapshot: PagerSnapshot;
  /** Documents in the collection. */
  documents: number | null;
  columns: ArrangedColumns;
  onNew: () => void;
  inputRef: Ref<HTMLInputElement>;
}

export function FilterBar({ columns, onNew, ...field }: FilterBarProps) {
  const mayWrite = useRefusal('write') === null;
  return (
    <div className="fbar">
      <FilterField {...field} />
      <DeadlineFilter query={field.query} onChange={field.onChange} />
      <ColumnChooser columns={columns} />
      {mayWrite && (
        <Button icon="plus" onClick={onNew}>
          New
        </Button>
      )}
    </div>
  );
}
