import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { DocumentState } from '../../../../shared/contract/documents.ts';
import { useMissing } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { STATE_WORD } from '../../../components/status/Chip.tsx';
import { formatCount } from '../../../i18n/format.ts';
import classes from '../documents.module.css';
import type { DocumentsQuery } from '../list/documents-query.ts';
import { stateCounts } from './state-counts.ts';

interface StateFilterProps {
  query: DocumentsQuery;
  onChange: (change: Partial<DocumentsQuery>) => void;
  summary: CollectionSummary | undefined;
  children: ReactNode;
}

/** States that the filter offers. `paused` is left out: paused documents past their deadline are overdue. */
const STATES: readonly DocumentState[] = ['live', 'soon', 'overdue', 'quarantined', 'never', 'pinned'];

/** Quarantined is offered only if there are such documents, or while it is the filter. */
function offered(
  query: DocumentsQuery,
  summary: CollectionSummary | undefined,
  pins: boolean,
): readonly DocumentState[] {
  const isKnown = query.state === 'quarantined' || (summary?.quarantined ?? 0) > 0;
  return STATES.filter(
    state => (isKnown || state !== 'quarantined') && (pins || state !== 'pinned' || query.state === 'pinned'),
  );
}

/** Filters by state, with the counts that are known without reading. */
export function StateFilter({ query, onChange, summary, children }: StateFilterProps) {
  const pins = useMissing('pin') === null;
  const counts = stateCounts(summary, query);
  const isHidingSome = (summary?.overdue ?? 0) > 0 || query.includeExpired;
  return (
    <fieldset className={classes.states} aria-label={t`State`}>
      <StateButton
        isPressed={query.state === null}
        count={counts.all}
        onClick={() => onChange({ state: null })}
      >{t`All`}</StateButton>
      {offered(query, summary, pins).map(state => (
        <StateButton
          key={state}
          isPressed={query.state === state}
          count={counts[state]}
          onClick={() => onChange({ state: query.state === state ? null : state })}
        >
          <span className={`c-${state}`}>
            <Icon name={state} size={12} />
          </span>
          {STATE_WORD[state]}
        </StateButton>
      ))}
      <span className="spacer" />
      {children}
      {isHidingSome && query.state === null && (
        <button
          type="button"
          aria-pressed={query.includeExpired}
          title={t`Ordinary reads hide documents past their deadline`}
          onClick={() => onChange({ includeExpired: !query.includeExpired })}
        >
          <Icon name={query.includeExpired ? 'check' : 'plus'} size={12} />
          <Trans>Include overdue</Trans>
        </button>
      )}
    </fieldset>
  );
}

interface StateButtonProps {
  isPressed: boolean;
  count: number | undefined;
  onClick: () => void;
  children: ReactNode;
}

function StateButton({ isPressed, count, onClick, children }: StateButtonProps) {
  return (
    <button type="button" aria-pressed={isPressed} onClick={onClick}>
      {children}
      {count !== undefined && <span className="t-3">{formatCount(count)}</span>}
    </button>
  );
}
