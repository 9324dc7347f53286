import { useMemo } from 'react';
import { type LiveState, useLive } from '../../../api.ts';

/** One a line, which no name holds: a string, so that a tick of counts draws nothing anew. */
const lines = ({ collections }: LiveState): string => [...(collections?.keys() ?? [])].join('\n');

/** Names of all collections of the store. */
export function useCollectionNames(): ReadonlySet<string> {
  const text = useLive(lines);
  return useMemo(() => new Set(text === '' ? [] : text.split('\n')), [text]);
}
