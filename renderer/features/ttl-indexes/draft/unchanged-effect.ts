import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { sameEffect } from '../../../../shared/model/ttl-index.ts';
import type { ChosenDefinition } from './index-draft.ts';

/**
 * Returns whether a definition makes the same documents due as the present index. An index that observes or awaits
 * confirmation makes no document due, so putting the same definition into effect changes that.
 */
export function isAsBefore(before: TtlIndex | null, definition: ChosenDefinition | null): boolean {
  if (before === null || definition === null || before.state !== 'ready') return false;
  return definition.schedule.mode !== 'observe' && sameEffect(before, { ...definition, name: before.name });
}
