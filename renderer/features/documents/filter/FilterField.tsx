import { type Ref, useId, useState } from 'react';
import { problemOf } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import type { DocumentsQuery } from '../list/documents-query.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';
import { type CelMistake, celMistake } from './cel-error.ts';
import { Found } from './MatchCount.tsx';
import { useCelFilter } from './use-cel-filter.ts';
import { useTypedFilter } from './use-typed-filter.ts';

type Mode = 'text' | 'cel';

interface FilterFieldProps {
  collection: string;
  query: DocumentsQuery;
  onChange: (change: Partial<DocumentsQuery>) => void;
  snapshot: PagerSnapshot;
  /** Documents in the collection. */
  documents: number | null;
  inputRef: Ref<HTMLInputElement>;
}

const MODES = [
  { value: 'text', label: 'Text', title: 'Text anywhere in a document' },
  { value: 'cel', label: 'CEL', title: 'A condition over doc and updatedAt' },
] as const;

/** Text, or a CEL condition. The address keeps what is asked for; a mistake is told under its column. */
export function FilterField({
  collection,
  query,
  onChange,
  snapshot,
  documents,
  inputRef,
}: FilterFieldProps) {
  const [mode, setMode] = useState<Mode>(query.cel === '' ? 'text' : 'cel');
  // An address that was gone back to may be of the other kind.
  const shown = query.cel !== '' ? 'cel' : query.filter.trim() !== '' ? 'text' : mode;
  const cel = useCelFilter(collection, asked => onChange({ cel: asked, filter: '' }));
  const text = useTypedFilter(query.filter, filter => onChange({ filter, cel: '' }));
  const condition = useTypedFilter(query.cel, cel.ask);
  const typed = shown === 'cel' ? condition : text;
  const listed = snapshot.status === 'failed' ? celMistake(problemOf(snapshot.error)) : null;
  const mistake = shown === 'cel' ? (cel.mistake ?? listed) : null;
  const isCurrent = mistake !== null && mistake.expression === condition.text;
  const id = useId();

  function change(next: Mode): void {
    setMode(next);
    onChange({ filter: '', cel: '' });
  }

  return (
    <div className="grow filter-field">
      <div className={`field ${isCurrent ? 'bad' : ''}`}>
        <Icon name="filter" size={14} className="t-3" />
        <FilterInput
          key={shown}
          mode={shown}
          text={typed.text}
          mistake={isCurrent ? mistake : null}
          describedBy={id}
          inputRef={inputRef}
          onType={typed.type}
          onSettle={typed.settle}
        />
        <Found
          snapshot={snapshot}
          documents={documents}
          isFiltered={query.filter.trim() !== '' || query.cel !== ''}
        />
        <Segmented label="Filter by" value={shown} segments={MODES} onChange={change} />
      </div>
      <p id={id} className="problem" aria-live="polite">
        {isCurrent ? mistake.message : ''}
      </p>
    </div>
  );
}

interface FilterInputProps {
  mode: Mode;
  text: string;
  mistake: CelMistake | null;
  describedBy: string;
  inputRef: Ref<HTMLInputElement>;
  onType: (text: string) => void;
  onSettle: () => void;
}

const WORDS = {
  text: { label: 'Filter by text', placeholder: 'Text anywhere in a document' },
  cel: { label: 'Filter by CEL', placeholder: 'doc.tenant == "acme" && doc.seats > 3' },
} as const;

function FilterInput({ mode, text, mistake, describedBy, inputRef, onType, onSettle }: FilterInputProps) {
  const [scrolled, setScrolled] = useState(0);
  const { label, placeholder } = WORDS[mode];
  return (
    <span className="typed">
      <input
        ref={inputRef}
        className="mono"
        type="search"
        aria-label={label}
        aria-invalid={mistake !== null}
        aria-describedby={describedBy}
        placeholder={placeholder}
        title="Press / to come here"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        value={text}
        onScroll={event => setScrolled(event.currentTarget.scrollLeft)}
        onChange={event => onType(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') onSettle();
          if (event.key !== 'Escape' || text === '') return;
          event.stopPropagation();
          onType('');
        }}
      />
      {mistake !== null && (
        <span
          className="mono at-column"
          aria-hidden="true"
          style={{ left: `calc((1ch - 0.01em) * ${mistake.column - 1} - ${scrolled}px)` }}
        />
      )}
    </span>
  );
}
