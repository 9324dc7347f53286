import { useMemo } from 'react';
import { useLive } from '../../../api.ts';

/** Returns the names of the store's collections. The array changes only when the names change. */
export function useCollectionChoices(): readonly { value: string; label: string }[] {
  const names = useLive(({ collections }) => [...(collections?.keys() ?? [])].join('\n'));
  return useMemo(
    () => (names === '' ? [] : names.split('\n').map(name => ({ value: name, label: name }))),
    [names],
  );
}
