import { useMemo } from 'react';
import { type LiveState, useLive } from '../../../api.ts';

/** Names joined by line breaks, which no name contains: an equal string does not render again. */
const lines = ({ collections }: LiveState): string => [...(collections?.keys() ?? [])].join('\n');

/** Returns the names of all collections. */
export function useCollectionNames(): ReadonlySet<string> {
  const text = useLive(lines);
  return useMemo(() => new Set(text === '' ? [] : text.split('\n')), [text]);
}
