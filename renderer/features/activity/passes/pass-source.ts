import { type Pass, passEnding } from '../../../../shared/contract/reaper.ts';
import type { HistorySource } from '../history/history-pager.ts';

/** Filter of the passes list, from the URL. */
export interface PassFilter {
  collection: string | null;
  ended: Pass['ending'] | null;
}

export function readPassFilter(query: URLSearchParams): PassFilter {
  return {
    collection: query.get('collection'),
    ended: passEnding.safeParse(query.get('ended')).data ?? null,
  };
}

type ReadPasses = (input: {
  collection?: string;
  before?: number;
  limit: number;
}) => Promise<{ passes: Pass[]; next: number | null }>;

export function passSource({ collection, ended }: PassFilter, read: ReadPasses): HistorySource<Pass> {
  return {
    read: async (before, limit) => {
      const page = await read({
        limit,
        ...(collection !== null && { collection }),
        ...(before !== null && { before: Number(before) }),
      });
      return { rows: page.passes, next: page.next === null ? null : String(page.next) };
    },
    numberOf: ({ id }) => id,
    shows: ({ ending }) => ended === null || ending === ended,
    isBefore: () => false,
  };
}
