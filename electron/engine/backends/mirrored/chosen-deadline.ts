import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { admits } from '../../../../shared/model/deadline-condition.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import { NEVER } from '../../expiry/deadline.ts';
import type { DueCount, DueOptions } from '../backend.ts';
import { readExplicitInstant } from '../port/explicit-instant.ts';

/**
 * Returns the deadline that a setting gives, epoch ms by the clock of `now`; null: no deadline. For an engine that
 * expires keys by itself, `never` is the same as no deadline. Throws INVALID_EXPIRATION, also for an action other than
 * delete.
 */
export function deadlineOf(setting: ExpirationSetting | null, now: number): number | null {
  if (setting !== null && 'onExpire' in setting && (setting.onExpire?.action ?? 'delete') !== 'delete') {
    throw new SandglassError(
      'INVALID_EXPIRATION',
      'The engine deletes a key that expires; it has no other action.',
    );
  }
  const { at } = readExplicitInstant(setting, now);
  return at === NEVER ? null : at;
}

/**
 * Counts the keys that a new deadline makes due by an instant, without those that are due by then already, and those
 * that `only` does not admit or that have this deadline, until `isOver`.
 */
export function countDueBy(
  mirror: DeadlineMirror,
  collection: string,
  ids: readonly string[],
  { deadline, by, isOver, only }: DueOptions & { deadline: number | null },
): DueCount {
  const willBeDue = deadline !== null && deadline <= by;
  let due = 0;
  let unchanged = 0;
  let done = 0;
  for (const id of ids) {
    if (done > 0 && isOver()) break;
    done++;
    const mirrored = mirror.deadlineOf(id);
    if (mirrored?.collection !== collection) continue;
    const { deadlineAt } = mirrored;
    if (only !== undefined && deadline !== null && !admits(only, deadlineAt, deadline)) unchanged++;
    else if (willBeDue && (deadlineAt === null || deadlineAt > by)) due++;
  }
  return { due, done, ...(only !== undefined && { unchanged }) };
}
