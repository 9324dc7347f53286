import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Preview } from '../../../shared/contract/ttl-indexes.ts';
import { client, engineNow } from '../../api.ts';
import { usePlace } from '../../components/navigation/location.ts';
import { askedDraft } from './draft/query-draft.ts';
import { draftFrom, draftOf } from './draft/read-draft.ts';
import { IndexEditor } from './IndexEditor.tsx';
import { useIndexes } from './list/use-indexes.ts';
import { UnfoundIndex } from './MissingIndex.tsx';
import './form/index-form.css';

interface CreateIndexPageProps {
  collection: string;
  /** The index to change; left out, one is created. */
  index?: string;
  /** The chart of the next 30 days. */
  renderForecast?: (preview: Preview) => ReactNode;
}

/** Creating an index, or changing one: define it beside its exact effect, review, build. */
export function CreateIndexPage({ collection, index, renderForecast }: CreateIndexPageProps) {
  const indexes = useIndexes(collection);
  const before = index === undefined ? null : indexes.data?.find(({ name }) => name === index);
  const candidates = useQuery({
    queryKey: ['candidates', collection],
    queryFn: () => client.ttlIndexes.candidates({ collection }),
    staleTime: 0,
  });
  const { query } = usePlace();
  // Led here with other wishes it is another form: what was typed into this one stays with it.
  const form = `${collection}/${index ?? ''}?${query.toString()}`;
  // What was known from before may be from before a change: a form filled in with that would undo it.
  const isFresh = indexes.isFetchedAfterMount;
  if (before === undefined)
    return <UnfoundIndex collection={collection} index={index ?? ''} isLoading={!isFresh} />;
  const isReady = before !== null || !candidates.isPending;
  if (!isReady || !isFresh) return <div className="index-form" aria-busy="true" />;
  const first = before === null ? draftFrom(candidates.data?.fields ?? [], engineNow()) : draftOf(before);
  return (
    <IndexEditor
      key={form}
      form={form}
      collection={collection}
      before={before}
      first={first}
      asked={before === null ? askedDraft(first, query) : null}
      candidates={candidates.data ?? null}
      indexes={indexes.data ?? []}
      renderForecast={renderForecast}
    />
  );
}
