import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Preview } from '../../../shared/contract/ttl-indexes.ts';
import { engineNow, orpc, useIndexChoices } from '../../api.ts';
import { usePlace } from '../../components/navigation/location.ts';
import { queryDraft } from './draft/query-draft.ts';
import { draftFrom, draftOf } from './draft/read-draft.ts';
import { IndexEditor } from './IndexEditor.tsx';
import { useIndexes } from './list/use-indexes.ts';
import { MissingIndex } from './MissingIndex.tsx';
import { SchemaSetUp, useIndexSchema } from './schema/SchemaSetUp.tsx';

interface CreateIndexPageProps {
  collection: string;
  /** The index to change; absent: a new index is created. */
  index?: string;
  /** The chart of the next 30 days. */
  renderForecast?: (preview: Preview) => ReactNode;
}

/** Creates or changes an index in three steps: define it beside its exact effect, review, build. */
export function CreateIndexPage({ collection, index, renderForecast }: CreateIndexPageProps) {
  const indexes = useIndexes(collection);
  const before = index === undefined ? null : indexes.data?.find(({ name }) => name === index);
  const candidates = useQuery(
    orpc.ttlIndexes.candidates.queryOptions({ input: { collection }, staleTime: 0 }),
  );
  const schema = useIndexSchema();
  const choices = useIndexChoices();
  const { query } = usePlace();
  // A change of the prefilled values in the URL opens another form, with its own unsaved input.
  const form = `${collection}/${index ?? ''}?${query.toString()}`;
  // Cached definitions may be older than a change, which a form filled from them would revert.
  const isFresh = indexes.isFetchedAfterMount;
  if (before === undefined)
    return <MissingIndex collection={collection} index={index ?? ''} isLoading={!isFresh} />;
  if (schema !== null && schema !== 'unknown' && schema.schema !== 'present')
    return <SchemaSetUp schema={schema} />;
  // Cached fields may be older than the first document: the form would propose none.
  const isReady = schema !== 'unknown' && (before !== null || candidates.isFetchedAfterMount);
  if (!isReady || !isFresh) return <div className="index-form" aria-busy="true" />;
  const first =
    before === null ? draftFrom(candidates.data?.fields ?? [], engineNow(), choices) : draftOf(before);
  return (
    <IndexEditor
      key={form}
      form={form}
      collection={collection}
      before={before}
      first={first}
      prefilled={before === null ? queryDraft(first, query, candidates.data?.fields ?? []) : null}
      candidates={candidates.data ?? null}
      indexes={indexes.data ?? []}
      renderForecast={renderForecast}
    />
  );
}
