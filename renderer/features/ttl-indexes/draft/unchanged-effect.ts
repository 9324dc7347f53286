import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { sameEffect } from '../../../../shared/model/ttl-index.ts';
import type { ChosenDefinition } from './index-draft.ts';

/**
 * Whether an index goes on making due what it makes due already. One that only observes, or waits for a word, has made
 * nothing due yet: the same definition would.
 */
export function isAsBefore(before: TtlIndex | null, definition: ChosenDefinition | null): boolean {
  if (before === null || definition === null || before.state !== 'ready') return false;
  return definition.schedule.mode !== 'observe' && sameEffect(before, { ...definition, name: before.name });
}
