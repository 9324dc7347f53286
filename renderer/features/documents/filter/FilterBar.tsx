import { t } from '@lingui/core/macro';
import type { RefCallback } from 'react';
import { useRefusal } from '../../../api.ts';
import type { TextBox } from '../../../components/code/code-editor-props.ts';
import { Button } from '../../../components/controls/Button.tsx';
import type { DocumentsQuery } from '../list/documents-query.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';
import { ColumnChooser } from '../table/ColumnChooser.tsx';
import type { ArrangedColumns } from '../table/column-preferences.ts';
import { DeadlineFilter } from './DeadlineFilter.tsx';
import { FilterField } from './FilterField.tsx';
import { FilterMenu } from './FilterMenu.tsx';

interface FilterBarProps {
  collection: string;
  query: DocumentsQuery;
  onChange: (change: Partial<DocumentsQuery>) => void;
  snapshot: PagerSnapshot;
  /** Documents in the collection. */
  documents: number | null;
  columns: ArrangedColumns;
  onNew: () => void;
  boxRef: RefCallback<TextBox>;
}

export function FilterBar({ columns, onNew, ...field }: FilterBarProps) {
  const mayWrite = useRefusal('documents.write') === null;
  return (
    <div className="fbar">
      <FilterField {...field} />
      <FilterMenu collection={field.collection} query={field.query} onChange={field.onChange} />
      <DeadlineFilter query={field.query} onChange={field.onChange} />
      <ColumnChooser columns={columns} />
      {mayWrite && <Button icon="plus" onClick={onNew}>{t`New`}</Button>}
    </div>
  );
}
