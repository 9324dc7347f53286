import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import { orpc, problemOf, reconnectNow, useLiveQuery, useMissing, useRefusal } from '../../api.ts';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { toCollection } from '../../components/navigation/location.ts';
import { EmptyState } from '../../components/status/EmptyState.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { formatCount } from '../../i18n/format.ts';
import { DEFAULT_QUERY, type DocumentsQuery, isFiltered } from './list/documents-query.ts';
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

/** Explains an empty list. Renders nothing while there are rows, or while the first ones are being read. */
export function DocumentsEmpty(props: DocumentsEmptyProps) {
  const { collection, summary, snapshot, query, onChange } = props;
  const refusal = useRefusal('documents.write');
  // Rows in memory stay visible. The banner reports the lost connection.
  if (snapshot.status === 'failed' && snapshot.loaded().length > 0) return null;
  if (snapshot.status === 'failed') return <Failed {...props} error={snapshot.error} />;
  if (snapshot.status === 'stopped') {
    return (
      <EmptyState
        icon="filter"
        title={t`Search stopped`}
        actions={<Button onClick={props.onRetry}>{t`Continue search`}</Button>}
      >{t`No match was found so far.`}</EmptyState>
    );
  }
  if (!snapshot.isCounted || snapshot.slots > 0) return null;
  const documents = summary?.documents ?? 0;
  if (documents === 0) return <NothingStored collection={collection} refusal={refusal} onNew={props.onNew} />;
  if (isFiltered(query)) {
    return (
      <EmptyState
        icon="filter"
        title={t`No document matches`}
        actions={
          <Button
            onClick={() =>
              onChange({
                ...DEFAULT_QUERY,
                sort: query.sort,
                order: query.order,
                includeExpired: query.includeExpired,
              })
            }
          >{t`Show all`}</Button>
        }
      >
        {summary !== undefined && summary.overdue > 0 && !query.includeExpired && query.state !== 'overdue'
          ? t`The filter matches 0 of ${formatCount(documents)}; ${formatCount(summary.overdue)} overdue documents are hidden and were not searched.`
          : t`The filter matches 0 of ${formatCount(documents)}.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="overdue"
      title={t`All ${formatCount(documents)} are past their deadline`}
      actions={<Button onClick={() => onChange({ includeExpired: true })}>{t`List overdue`}</Button>}
    >
      {formatStored(summary)}
    </EmptyState>
  );
}

/** Explains why overdue documents are still stored. */
function formatStored(summary: CollectionSummary | undefined): string {
  if (summary === undefined) return t`Ordinary reads hide them. They stay stored.`;
  const { paused, state } = summary;
  if (paused !== null)
    return t`Ordinary reads hide them. They stay stored: removal was paused by ${paused.by}.`;
  return state === 'held'
    ? t`Ordinary reads hide them. They stay stored: removal is held until confirmed.`
    : t`Ordinary reads hide them. They stay stored until the reaper removes them.`;
}

function Failed({ error, query, onChange, onRetry }: DocumentsEmptyProps & { error: unknown }) {
  const { code, message } = problemOf(error);
  if (code === 'INVALID_FILTER') {
    return (
      <EmptyState
        icon="filter"
        title={t`Invalid filter`}
        actions={<Button onClick={() => onChange({ cel: '' })}>{t`Clear the filter`}</Button>}
      >
        {message}
      </EmptyState>
    );
  }
  if (code === 'BAD_REQUEST' && query.sort === 'updatedAt') {
    return (
      <EmptyState
        icon="err"
        title={t`Sorting by last write needs an index`}
        actions={<Button onClick={() => onChange({ sort: 'deadline' })}>{t`Sort by deadline`}</Button>}
      >
        {message}
      </EmptyState>
    );
  }
  const isNotConnected = code === 'NOT_CONNECTED';
  return (
    <EmptyState
      icon="err"
      title={isNotConnected ? t`Engine not connected` : t`Reading documents failed`}
      actions={
        <Button
          onClick={() => {
            if (isNotConnected) reconnectNow();
            onRetry();
          }}
        >{t`Try again`}</Button>
      }
    >
      {message}
    </EmptyState>
  );
}

/** Shown if no document is stored: a link to the removed documents, if there are any. */
function NothingStored({
  collection,
  refusal,
  onNew,
}: {
  collection: string;
  refusal: string | null;
  onNew: () => void;
}) {
  const isListed = useMissing('removals') === null;
  const { data: left } = useLiveQuery(
    { ...orpc.metrics.expired.queryOptions({ input: { collection, limit: 1 } }), enabled: isListed },
    {
      collection,
    },
  );
  if (isListed && left === undefined) return null;
  const last = left?.expired[0];
  const create = refusal === null && (
    <Button
      variant={last === undefined ? 'primary' : 'plain'}
      icon="plus"
      onClick={onNew}
    >{t`New document…`}</Button>
  );
  if (last === undefined) {
    return (
      <EmptyState icon="doc" title={t`No documents yet`} actions={create}>
        {refusal ??
          t`Drop an NDJSON or JSON file anywhere in the window to import it into ${collection}, or create a document here.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="glass"
      title={t`All documents left`}
      actions={
        <>
          <ButtonLink
            variant="primary"
            href={toCollection(collection, 'activity', { restorable: 'true' })}
          >{t`Show and restore them…`}</ButtonLink>
          {create}
        </>
      }
    >
      {last.cause === 'deleted' ? (
        <Trans>
          The last one was deleted by hand <Ago at={last.removedAt} />.
        </Trans>
      ) : (
        <Trans>
          The last one expired by {last.index} <Ago at={last.removedAt} />.
        </Trans>
      )}
      {last.restorable === null && ` ${t`It cannot be restored.`}`}
    </EmptyState>
  );
}
