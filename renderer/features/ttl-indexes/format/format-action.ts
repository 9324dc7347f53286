import type { OnExpire, Schedule } from '../../../../shared/model/ttl-index.ts';
import { formatLongDuration } from '../../../i18n/format.ts';

/** The action at the start of a rule: `Deletes`, `Moves to archive`. */
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

/** The action in tables: `delete`, `move to archive`. */
export function formatAction(onExpire: OnExpire): string {
  return onExpire.action === 'move' ? `move to ${onExpire.to}` : onExpire.action;
}

/** Retention of copies [X4]; `ofStore`: the default of an index without a retention of its own. */
export function formatRetention(retention: number | null, ofStore: number | null = null): string {
  if (retention === null) {
    return ofStore === null
      ? 'restorable for the store’s retention'
      : `${formatRetention(ofStore)}, the store’s default`;
  }
  return retention === 0 ? 'not restorable' : `restorable for ${formatLongDuration(retention)}`;
}

/** The result for documents due at once; null for a deletion. */
export function formatFate(onExpire: OnExpire, { mode }: Schedule): string | null {
  if (mode === 'observe') return 'It observes: documents are counted, stay visible and are not changed.';
  switch (onExpire.action) {
    case 'delete':
      return null;
    case 'patch':
      return 'Each is patched and kept.';
    case 'replace':
      return 'Each is replaced by the result of the expression; null deletes it.';
    case 'move':
      return `Each moves to ${onExpire.to}.`;
  }
}

/** Title of the bars in a preview of a revert. */
export const effectTitle = (collection: string, { mode }: Schedule): string =>
  mode === 'observe'
    ? `It removes nothing from ${collection}: these are only counted`
    : `Expiration of ${collection} with it`;

/** Whether the action removes documents from the collection, or may. */
export function removes(onExpire: OnExpire, { mode }: Schedule): boolean {
  return mode !== 'observe' && (onExpire.action === 'delete' || onExpire.action === 'move');
}
