import { useMemo } from 'react';
import { useLive } from '../../../api.ts';

/** The store's collections by name, to narrow a list to. Another set of names, and only that, is another answer. */
export function useCollectionChoices(): readonly { value: string; label: string }[] {
  const names = useLive(({ collections }) => [...(collections?.keys() ?? [])].join('\n'));
  return useMemo(
    () => (names === '' ? [] : names.split('\n').map(name => ({ value: name, label: name }))),
    [names],
  );
}
