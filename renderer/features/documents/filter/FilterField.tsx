import { t } from '@lingui/core/macro';
import { type Ref, useId, useState } from 'react';
import { problemOf, useMissing } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import classes from '../documents.module.css';
import type { DocumentsQuery } from '../list/documents-query.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';
import { type CelError, readCelError } from './cel-error.ts';
import { MatchCount } from './MatchCount.tsx';
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
  { value: 'text', label: t`Text` },
  { value: 'cel', label: 'CEL' },
] as const;

/** Filters by text or by a CEL condition. The URL holds the applied one; an error is shown at its column. */
export function FilterField({
  collection,
  query,
  onChange,
  snapshot,
  documents,
  inputRef,
}: FilterFieldProps) {
  const hasConditions = useMissing('contentFilter') === null;
  const [mode, setMode] = useState<Mode>(query.cel === '' ? 'text' : 'cel');
  // Back and forward may change the kind of filter.
  const shown = query.cel !== '' ? 'cel' : query.filter.trim() !== '' ? 'text' : mode;
  const cel = useCelFilter(collection, asked => onChange({ cel: asked, filter: '' }));
  const text = useTypedFilter(query.filter, filter => onChange({ filter, cel: '' }));
  const condition = useTypedFilter(query.cel, cel.applyCel);
  const typed = shown === 'cel' ? condition : text;
  const listed = snapshot.status === 'failed' ? readCelError(problemOf(snapshot.error)) : null;
  const celError = shown === 'cel' ? (cel.celError ?? listed) : null;
  const isCurrent = celError !== null && celError.expression === condition.text;
  const id = useId();

  function change(next: Mode): void {
    setMode(next);
    onChange({ filter: '', cel: '' });
  }

  return (
    <div className={`grow ${classes.filterField}`}>
      <div className={`field ${isCurrent ? 'bad' : ''}`}>
        <Icon name="filter" size={14} className="t-3" />
        <FilterInput
          key={shown}
          mode={shown}
          text={typed.text}
          celError={isCurrent ? celError : null}
          describedBy={id}
          inputRef={inputRef}
          onType={typed.type}
          onSettle={typed.settle}
        />
        <MatchCount
          snapshot={snapshot}
          documents={documents}
          isFiltered={query.filter.trim() !== '' || query.cel !== ''}
        />
        {hasConditions && <Segmented label={t`Filter by`} value={shown} segments={MODES} onChange={change} />}
      </div>
      <p id={id} className="problem" aria-live="polite">
        {isCurrent ? celError.message : ''}
      </p>
    </div>
  );
}

interface FilterInputProps {
  mode: Mode;
  text: string;
  celError: CelError | null;
  describedBy: string;
  inputRef: Ref<HTMLInputElement>;
  onType: (text: string) => void;
  onSettle: () => void;
}

const LABELS = {
  text: { label: t`Filter by text`, placeholder: t`Text anywhere in a document` },
  key: { label: t`Filter by text`, placeholder: t`Text in the key` },
  cel: { label: t`Filter by CEL`, placeholder: 'doc.tenant == "acme" && doc.seats > 3' },
} as const;

function FilterInput({ mode, text, celError, describedBy, inputRef, onType, onSettle }: FilterInputProps) {
  const [scrolled, setScrolled] = useState(0);
  const searchesContent = useMissing('contentSearch') === null;
  const { label, placeholder } = mode === 'text' && !searchesContent ? LABELS.key : LABELS[mode];
  return (
    <span className="typed">
      <input
        ref={inputRef}
        className="mono"
        type="search"
        aria-label={label}
        aria-invalid={celError !== null}
        aria-describedby={describedBy}
        placeholder={placeholder}
        title={t`Shortcut: /`}
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
      {celError !== null && (
        <span
          className={`mono ${classes.atColumn}`}
          aria-hidden="true"
          style={{ left: `calc((1ch - 0.01em) * ${celError.column - 1} - ${scrolled}px)` }}
        />
      )}
    </span>
  );
}
