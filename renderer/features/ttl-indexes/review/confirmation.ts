import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import type { Preview, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import {
  type ConfirmationSettings,
  needsConfirmation,
  needsName,
  newlyDue,
} from '../../../../shared/model/confirmation-rule.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';

/**
 * Confirmation of a change before it is sent. `effect`: its effect and a roll-out are confirmed; `name`: the name of
 * the collection is typed as well.
 */
export type Confirmation = 'none' | 'effect' | 'name';

/**
 * Returns the confirmation that a definition requires [R8]; the rule is the same for the command line and REST.
 * `present` is the definition that it replaces; null: a new index. Until the settings of the store are read, their
 * defaults apply.
 */
export function confirmationOf(
  { schedule }: Pick<ChosenDefinition, 'schedule'>,
  preview: Preview,
  present: Pick<TtlIndex, 'state' | 'overdue'> | null,
  settings: ConfirmationSettings = DEFAULT_SETTINGS,
): Confirmation {
  const effect = { due: newlyDue(preview, present), documents: preview.documents };
  if (schedule.mode === 'observe' || !needsConfirmation(effect, settings)) return 'none';
  return needsName(effect) ? 'name' : 'effect';
}
