import { t } from '@lingui/core/macro';
import type { OnExpire, Schedule } from '../../../../shared/model/ttl-index.ts';
import { formatLongDuration } from '../../../i18n/format.ts';

/** Returns the action at the start of a rule: `Deletes`, `Moves to archive`. */
export function actionVerb(onExpire: OnExpire): string {
  switch (onExpire.action) {
    case 'delete':
      return t`Deletes`;
    case 'patch':
      return t`Patches`;
    case 'replace':
      return t`Replaces`;
    case 'move':
      return t`Moves to ${onExpire.to}`;
  }
}

/** Returns the action as shown in tables: `delete`, `move to archive`. */
export function formatAction(onExpire: OnExpire): string {
  switch (onExpire.action) {
    case 'delete':
      return t`delete`;
    case 'patch':
      return t`patch`;
    case 'replace':
      return t`replace`;
    case 'move':
      return t`move to ${onExpire.to}`;
  }
}

/** Describes the retention of copies [X4]; `ofStore`: the default of an index without a retention of its own. */
export function formatRetention(retention: number | null, ofStore: number | null = null): string {
  if (retention === null) {
    return ofStore === null
      ? t`restorable for the store’s retention`
      : t`${formatRetention(ofStore)}, the store’s default`;
  }
  return retention === 0 ? t`not restorable` : t`restorable for ${formatLongDuration(retention)}`;
}

/** Describes the result for documents due at once; null for a deletion. */
export function formatFate(onExpire: OnExpire, { mode }: Schedule): string | null {
  if (mode === 'observe') return t`It observes: documents are counted, stay visible and are not changed.`;
  switch (onExpire.action) {
    case 'delete':
      return null;
    case 'patch':
      return t`Each is patched and kept.`;
    case 'replace':
      return t`Each is replaced by the result of the expression; null deletes it.`;
    case 'move':
      return t`Each moves to ${onExpire.to}.`;
  }
}

/** Returns the title of the bars in a preview of a revert. */
export const effectTitle = (collection: string, { mode }: Schedule): string =>
  mode === 'observe'
    ? t`It removes nothing from ${collection}: these are only counted`
    : t`Expiration of ${collection} with it`;

/** Returns whether the action removes documents from the collection, or may remove them. */
export function removes(onExpire: OnExpire, { mode }: Schedule): boolean {
  return mode !== 'observe' && (onExpire.action === 'delete' || onExpire.action === 'move');
}
