import { compileReplacement } from '../../../shared/model/expressions/replacement.ts';
import { formatInstantInFull } from '../../../shared/model/format.ts';
import type { JsonObject } from '../../../shared/model/json/json.ts';
import { applyMergePatch } from '../../../shared/model/json/merge-patch.ts';
import type { ExpireAction, OnExpire } from '../../../shared/model/ttl-index.ts';
import type { DeadlineRule } from './deadline.ts';

/** Result of an action on one document [A1 to A4]. `problem` is a message for a person. */
export type Outcome =
  | { kind: 'remove' }
  | { kind: 'move'; to: string }
  | { kind: 'change'; document: JsonObject }
  | { kind: 'failed'; problem: string };

/** Action on expiry, compiled once and applied to each document. */
export interface PreparedAction {
  readonly action: ExpireAction;
  /** Throws OutOfTime only. Does not modify `document`. `nowMs` (epoch ms) is the value of `now` in a replacement. */
  outcomeOf(document: JsonObject, nowMs: number): Outcome;
}

export const DELETION: PreparedAction = { action: 'delete', outcomeOf: () => ({ kind: 'remove' }) };

/** Throws INVALID_TTL_INDEX if an expression does not compile [A3]. */
export function prepareAction(onExpire: OnExpire): PreparedAction {
  const { action } = onExpire;
  switch (action) {
    case 'delete':
      return DELETION;
    case 'patch': {
      const { patch } = onExpire;
      return { action, outcomeOf: document => changed(document, applyMergePatch(document, patch)) };
    }
    case 'replace': {
      const replacement = compileReplacement(onExpire.expression);
      return {
        action,
        outcomeOf(document, nowMs) {
          const replaced = replacement.apply(document, nowMs);
          if ('problem' in replaced) return { kind: 'failed', problem: replaced.problem };
          return 'remove' in replaced ? { kind: 'remove' } : changed(document, replaced.document);
        },
      };
    }
    case 'move': {
      const { to } = onExpire;
      return { action, outcomeOf: () => ({ kind: 'move', to }) };
    }
  }
}

/** Keeps `_id` if the new document omits it, as any write does; refuses a different one [A5]. */
function changed(before: JsonObject, after: JsonObject): Outcome {
  if (after._id === undefined) return { kind: 'change', document: { _id: before._id ?? null, ...after } };
  if (after._id === before._id) return { kind: 'change', document: after };
  return {
    kind: 'failed',
    problem: `It would change _id from ${JSON.stringify(before._id)} to ${String(after._id)}; an action must keep _id.`,
  };
}

/**
 * Proof of progress [A5]. Returns why `changed`, written at `updatedAt`, is still due under the rule that acted on it,
 * or null if the rule now gives it no deadline or one later than the cutoff. Times are epoch ms.
 */
export function progressProblem(
  rule: DeadlineRule,
  changed: unknown,
  { updatedAt, cutoff }: { updatedAt: number; cutoff: number },
): string | null {
  const reference = rule.read(changed, updatedAt);
  if (!('at' in reference)) return null;
  const at = reference.at + rule.addMs;
  if (at > cutoff) return null;
  return `It would still be due, at ${formatInstantInFull(at, 'utc')}: the action must remove or postpone the deadline.`;
}
