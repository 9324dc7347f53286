import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import { formatCount } from '../../../shared/model/format.ts';
import { problemOf, reconnectNow, useRefusal } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { EmptyState } from '../../components/status/EmptyState.tsx';
import { type DocumentsQuery, EVERYTHING, isNarrowed } from './list/documents-query.ts';
import type { PagerSnapshot } from './list/pager-snapshot.ts';

interface DocumentsEmptyProps {
  collection: string;
  summary: CollectionSummary | undefined;
  snapshot: PagerSnapshot;
  query: DocumentsQuery;
  onChange: (change: Partial<DocumentsQuery>) => void;
  onNew: () => void;
  onRetry: () => void;
}

/** Why no row is to be seen, and the next step. Null while there are rows, or while the first are being read. */
export function DocumentsEmpty(props: DocumentsEmptyProps) {
  const { collection, summary, snapshot, query, onChange } = props;
  const refusal = useRefusal('documents.write');
  // Rows that were read stay; that the engine is gone is said above them, for the whole window.
  if (snapshot.status === 'failed' && snapshot.loaded().length > 0) return null;
  if (snapshot.status === 'failed') return <Failed {...props} error={snapshot.error} />;
  if (snapshot.status === 'stopped') {
    return (
      <EmptyState
        icon="filter"
        title="The search was stopped"
        actions={<Button onClick={props.onRetry}>Search on</Button>}
      >
        Nothing was found as far as it went.
      </EmptyState>
    );
  }
  if (!snapshot.isCounted || snapshot.slots > 0) return null;
  const documents = summary?.documents ?? 0;
  if (documents === 0) {
    return (
      <EmptyState
        icon="doc"
        title="No documents yet"
        actions={
          refusal === null && (
            <Button variant="primary" icon="plus" onClick={props.onNew}>
              New document…
            </Button>
          )
        }
      >
        {refusal ??
          `Drop an NDJSON or JSON file anywhere in the window to import it into ${collection}, or write one here.`}
      </EmptyState>
    );
  }
  if (isNarrowed(query)) {
    return (
      <EmptyState
        icon="filter"
        title="No document matches"
        actions={
          <Button
            onClick={() =>
              onChange({
                ...EVERYTHING,
                sort: query.sort,
                order: query.order,
                includeExpired: query.includeExpired,
              })
            }
          >
            Show all
          </Button>
        }
      >
        The filter matches 0 of {formatCount(documents)}
        {summary !== undefined && summary.overdue > 0 && !query.includeExpired && query.state !== 'overdue'
          ? `; ${formatCount(summary.overdue)} overdue ones are hidden and were not searched.`
          : '.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="overdue"
      title={`All ${formatCount(documents)} are past their deadline`}
      actions={<Button onClick={() => onChange({ includeExpired: true })}>List them</Button>}
    >
      They are hidden from ordinary reads and still stored
      {summary === undefined ? '.' : whyStored(summary)}
    </EmptyState>
  );
}

function whyStored({ paused, state }: CollectionSummary): string {
  if (paused !== null) return `, because removal was paused by ${paused.by}.`;
  return state === 'held'
    ? ', because removal is held until somebody confirms it.'
    : ' until the reaper removes them.';
}

function Failed({ error, query, onChange, onRetry }: DocumentsEmptyProps & { error: unknown }) {
  const { code, message } = problemOf(error);
  if (code === 'INVALID_FILTER') {
    return (
      <EmptyState
        icon="filter"
        title="The filter cannot be read"
        actions={<Button onClick={() => onChange({ cel: '' })}>Clear the filter</Button>}
      >
        {message}
      </EmptyState>
    );
  }
  if (code === 'BAD_REQUEST' && query.sort === 'updatedAt') {
    return (
      <EmptyState
        icon="err"
        title="Not sorted by last write"
        actions={<Button onClick={() => onChange({ sort: 'deadline' })}>Sort by deadline</Button>}
      >
        {message}
      </EmptyState>
    );
  }
  const isGone = code === 'NOT_CONNECTED';
  return (
    <EmptyState
      icon="err"
      title={isGone ? 'The engine does not answer' : 'These documents cannot be shown'}
      actions={
        <Button
          onClick={() => {
            if (isGone) reconnectNow();
            onRetry();
          }}
        >
          Try again
        </Button>
      }
    >
      {message}
    </EmptyState>
  );
}
