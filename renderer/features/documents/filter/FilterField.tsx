import { t } from '@lingui/core/macro';
import { type RefCallback, useId, useState } from 'react';
import { problemOf, useMissing } from '../../../api.ts';
import type { TextBox } from '../../../components/code/code-editor-props.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Segmented } from '../../../components/controls/Segmented.tsx';
import classes from '../documents.module.css';
import type { DocumentsQuery } from '../list/documents-query.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';
import { CelFilterBox } from './CelFilterBox.tsx';
import { readCelError } from './cel-error.ts';
import { MatchCount } from './MatchCount.tsx';
import { TextFilterBox } from './TextFilterBox.tsx';
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
  boxRef: RefCallback<TextBox>;
}

const MODES = [
  { value: 'text', label: t`Text` },
  { value: 'cel', label: 'CEL' },
] as const;

/** Filters by text or by a CEL condition. The URL holds the applied one; an error is marked at its column. */
export function FilterField({ collection, query, onChange, snapshot, documents, boxRef }: FilterFieldProps) {
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
  const box = { boxRef, text: typed.text, onType: typed.type, onSettle: typed.settle, describedBy: id };

  function change(next: Mode): void {
    setMode(next);
    onChange({ filter: '', cel: '' });
  }

  return (
    <div className={`grow ${classes.filterField}`}>
      <div className={`field ${isCurrent ? 'bad' : ''}`}>
        <Icon name="filter" size={14} className="t-3" />
        {shown === 'cel' ? (
          <CelFilterBox collection={collection} error={isCurrent ? celError : null} {...box} />
        ) : (
          <TextFilterBox {...box} />
        )}
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
