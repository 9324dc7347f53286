import { type Ref, useEffect, useRef, useState } from 'react';
import { formatCount } from '../../../shared/model/format.ts';
import { Button } from '../../components/Button.tsx';
import { Icon } from '../../components/Icon.tsx';
import { ColumnChooser } from './ColumnChooser.tsx';
import type { ArrangedColumns } from './columnPrefs.ts';
import { DeadlineFilter } from './DeadlineFilter.tsx';
import type { PagerSnapshot } from './pagerSnapshot.ts';
import type { DocumentsQuery } from './query.ts';

interface FilterBarProps {
  query: DocumentsQuery;
  onChange: (change: Partial<DocumentsQuery>) => void;
  snapshot: PagerSnapshot;
  /** Documents in the collection. */
  documents: number | null;
  columns: ArrangedColumns;
  onNew: () => void;
  inputRef: Ref<HTMLInputElement>;
}

const TYPING_MS = 250;

export function FilterBar({
  query,
  onChange,
  snapshot,
  documents,
  columns,
  onNew,
  inputRef,
}: FilterBarProps) {
  const [text, setText] = useTypedFilter(query.filter, filter => onChange({ filter }));
  return (
    <div className="fbar">
      <label className="field grow">
        <Icon name="filter" size={14} className="t-3" />
        <input
          ref={inputRef}
          className="mono"
          type="search"
          aria-label="Filter by text"
          placeholder="Text anywhere in a document"
          title="Press / to come here"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={event => setText(event.target.value)}
          onKeyDown={event => {
            if (event.key !== 'Escape' || text === '') return;
            event.stopPropagation();
            setText('');
          }}
        />
        <Found snapshot={snapshot} documents={documents} isFiltered={query.filter.trim() !== ''} />
      </label>
      <DeadlineFilter query={query} onChange={onChange} />
      <ColumnChooser columns={columns} />
      <Button icon="plus" onClick={onNew}>
        New
      </Button>
    </div>
  );
}

/** What is typed is shown at once, and asked for when the typing pauses. */
function useTypedFilter(filter: string, apply: (filter: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(filter);
  const applied = useRef(filter);
  const latest = useRef(apply);
  latest.current = apply;

  useEffect(() => {
    // Back, forward and "Clear the filter" change the address, not the box.
    if (filter !== applied.current) {
      applied.current = filter;
      setText(filter);
    }
  }, [filter]);
  useEffect(() => {
    if (text === applied.current) return;
    const timer = setTimeout(() => {
      applied.current = text;
      latest.current(text);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}

function Found({
  snapshot,
  documents,
  isFiltered,
}: {
  snapshot: PagerSnapshot;
  documents: number | null;
  isFiltered: boolean;
}) {
  if (!snapshot.isCounted || documents === null || !isFiltered) return <span className="found" />;
  return (
    <span className="found t-12 t-3 nowrap" role="status">
      {formatCount(snapshot.slots)} of {formatCount(documents)}
    </span>
  );
}
