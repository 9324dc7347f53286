import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
import { engineNow, orpc } from '../../../api.ts';

const TYPING_MS = 250;
/** Refresh interval of a count: short for a fast one, long for a slow one. */
const CHEAP_MS = 100;
const SOON_MS = 2_000;
const SELDOM_MS = 30_000;

export interface PreviewState {
  /** The last exact count; kept until the next one. */
  preview: Preview | null;
  /** The input that was counted. */
  countedFor: TtlSource | null;
  /** The shown count is of earlier input. */
  isCounting: boolean;
  /** The shown count is of the present input, and may be confirmed. */
  isCurrent: boolean;
  error: unknown;
  /** Counts again at once. */
  recount: () => void;
}

const NOT_COUNTED: Pick<PreviewState, 'preview' | 'countedFor'> = { preview: null, countedFor: null };

interface PreviewInput {
  collection: string;
  /** The index to change; null: a new index is created. */
  name: string | null;
  /** Null while the input cannot be counted. */
  source: TtlSource | null;
}

/** The exact effect of the input, counted 250 ms after typing pauses [X3]. */
export function usePreview({ collection, name, source }: PreviewInput): PreviewState {
  const settled = useSettled(source);
  const query = useQuery({
    // The request of a superseded count is aborted: the engine stops counting.
    ...orpc.ttlIndexes.preview.queryOptions({
      input: settled === null ? skipToken : { collection, ...(name !== null && { name }), source: settled },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 10_000,
    refetchInterval: ({ state }) => refreshAfter(state.data, engineNow()),
  });
  const [last, setLast] = useState(NOT_COUNTED);
  if (query.data !== undefined && !query.isPlaceholderData && query.data !== last.preview)
    setLast({ preview: query.data, countedFor: settled });
  const isAhead = JSON.stringify(source) !== JSON.stringify(settled);
  return {
    ...last,
    isCounting:
      source !== null && query.error === null && (isAhead || query.isPlaceholderData || query.isPending),
    isCurrent: !isAhead && query.error === null && query.data !== undefined && !query.isPlaceholderData,
    error: query.error,
    recount: () => void query.refetch(),
  };
}

/**
 * Returns the time until the next count, ms. A slow count is repeated when its next deadline has passed, not every two
 * seconds. @internal
 */
export function refreshAfter(
  preview: Pick<Preview, 'elapsedMs' | 'nextDeadlineAt'> | undefined,
  now: number,
): number {
  if (preview === undefined || preview.elapsedMs < CHEAP_MS) return SOON_MS;
  const { nextDeadlineAt } = preview;
  return nextDeadlineAt === null ? SELDOM_MS : Math.min(SELDOM_MS, Math.max(SOON_MS, nextDeadlineAt - now));
}

function useSettled(source: TtlSource | null): TtlSource | null {
  const [settled, setSettled] = useState(source);
  const text = JSON.stringify(source);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an equal source is the same source
  useEffect(() => {
    // Incomplete input keeps the last count; the first one is counted without delay.
    if (source === null) return;
    const timer = setTimeout(() => setSettled(source), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled ?? source;
}
