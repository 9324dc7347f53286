import type { PolicyChange } from '../../../../shared/contract/ttl-indexes.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { TtlIndexDefinition } from '../../../../shared/model/ttl-index.ts';

/** Effect of reverting a change: the index gets its earlier definition, or is paused or resumed. */
export type Revert = { definition: TtlIndexDefinition } | { pause: boolean };

/**
 * Returns the state before the change of that id [X5]. Throws CHANGE_NOT_FOUND, and INVALID_TTL_INDEX if the change has
 * no earlier state: the creation of an index, and its confirmation.
 */
export function revertOf(
  history: readonly PolicyChange[],
  collection: string,
  index: string,
  id: number,
): Revert {
  const found = history.find(change => change.id === id);
  if (found === undefined) {
    throw new SandglassError(
      'CHANGE_NOT_FOUND',
      `${collection} has no change ${id} of a TTL index named ${index}; see its history.`,
      { collection, index, change: id },
    );
  }
  const { change, before } = found;
  if (change === 'pause' || change === 'resume') return { pause: change === 'resume' };
  if (before === null) {
    throw new SandglassError(
      'INVALID_TTL_INDEX',
      `Before this change ${index} did not exist: drop it to undo the change.`,
      { collection, index, change: id },
    );
  }
  if (change === 'confirm' && JSON.stringify(before) === JSON.stringify(found.after)) {
    throw new SandglassError(
      'INVALID_TTL_INDEX',
      `Before this change ${index} waited for confirmation, with the same definition: pause it to stop it.`,
      { collection, index, change: id },
    );
  }
  return { definition: { name: index, ...before } };
}
