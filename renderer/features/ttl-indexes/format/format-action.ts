import { durationInWords } from '../../../../shared/model/duration.ts';
import type { OnExpire, Schedule } from '../../../../shared/model/ttl-index.ts';

/** What an index does, to begin its rule with: `Deletes`, `Moves to archive`. */
export function actionVerb(onExpire: OnExpire): string {
  switch (onExpire.action) {
    case 'delete':
      return 'Deletes';
    case 'patch':
      return 'Patches';
    case 'replace':
      return 'Replaces';
    case 'move':
      return `Moves to ${onExpire.to}`;
  }
}

/** The same for before and after: `delete`, `move to archive`. */
export function actionInWords(onExpire: OnExpire): string {
  return onExpire.action === 'move' ? `move to ${onExpire.to}` : onExpire.action;
}

/** How long what it removes can be brought back [X4]; `ofStore`, where known, holds for an index that says nothing. */
export function retentionInWords(retention: number | null, ofStore: number | null = null): string {
  if (retention === null) {
    return ofStore === null
      ? 'restorable as long as the store keeps copies'
      : `${retentionInWords(ofStore)}, the store’s default`;
  }
  return retention === 0 ? 'not restorable' : `restorable for ${durationInWords(retention)}`;
}

/** What becomes of those due at once; null where they are deleted, which needs no word. */
export function fateInWords(onExpire: OnExpire, { mode }: Schedule): string | null {
  if (mode === 'observe')
    return 'It observes: they are counted, stay to be seen, and nothing happens to them.';
  switch (onExpire.action) {
    case 'delete':
      return null;
    case 'patch':
      return 'Each is patched and stays.';
    case 'replace':
      return 'Each is replaced by what the expression gives; null deletes it.';
    case 'move':
      return `Each moves to ${onExpire.to}.`;
  }
}

/** Over the bars of what a definition would make due, before it is put back. */
export const effectTitle = (collection: string, { mode }: Schedule): string =>
  mode === 'observe'
    ? `Nothing leaves ${collection} by it: it counts these, and they stay`
    : `With it, ${collection} expires like this`;

/** It takes documents out of the collection, or may. */
export function removes(onExpire: OnExpire, { mode }: Schedule): boolean {
  return mode !== 'observe' && (onExpire.action === 'delete' || onExpire.action === 'move');
}
