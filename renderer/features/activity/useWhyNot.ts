import { useLive } from '../../api.ts';

/** Why the person may not bring back or purge; null: they may. The engine decides; this says it before [P1]. */
export function useWhyNot(): string | null {
  return useLive(({ store, connection }) => {
    if (connection.is === 'lost') return 'The engine is away.';
    if (store === null || store.permission === 'configure')
      return store?.role === 'follower'
        ? 'This store follows another and takes no changes of its own.'
        : null;
    return `This needs the permission configure; you have ${store.permission}.`;
  });
}
