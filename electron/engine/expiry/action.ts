import { compileReplacement } from '../../../shared/model/expressions/replacement.ts';
import { formatInstantInFull } from '../../../shared/model/format.ts';
import type { JsonObject } from '../../../shared/model/json/json.ts';
import { applyMergePatch } from '../../../shared/model/json/merge-patch.ts';
import type { ExpireAction, OnExpire } from '../../../shared/model/ttl-index.ts';
import type { DeadlineRule } from './deadline.ts';

/** What is to become of one document [A1 to A4]; `problem`: why nothing can, for a person. */
export type Outcome =
  | { kind: 'remove' }
  | { kind: 'move'; to: string }
  | { kind: 'change'; document: JsonObject }
  | { kind: 'stuck'; problem: string };

/** An action on expiry, prepared once and asked for each document. */
export interface PreparedAction {
  readonly action: ExpireAction;
  /** Throws OutOfTime alone; `document` stays as it is. `nowMs`, epoch ms, is what a replacement calls `now`. */
  outcomeOf(document: JsonObject, nowMs: number): Outcome;
}

export const DELETION: PreparedAction = { action: 'delete', outcomeOf: () => ({ kind: 'remove' }) };

/** Throws INVALID_TTL_INDEX for an expression that does not compile [A3]. */
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
          if ('problem' in replaced) return { kind: 'stuck', problem: replaced.problem };
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

/** A document that says nothing of its `_id` keeps it, as in any write; another one is refused [A5]. */
function changed(before: JsonObject, after: JsonObject): Outcome {
  if (after._id === undefined) return { kind: 'change', document: { _id: before._id ?? null, ...after } };
  if (after._id === before._id) return { kind: 'change', document: after };
  return {
    kind: 'stuck',
    problem: `It would change _id from ${JSON.stringify(before._id)} to ${String(after._id)}; an action keeps it.`,
  };
}

/**
 * The proof of progress [A5]: why `changed`, written at `updatedAt`, is still in the way of the rule that acted on it,
 * or null where that gives it no deadline or one later than the cutoff. All times are epoch ms.
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
  return `It would still be due, at ${formatInstantInFull(at, 'utc')}: the action must remove the deadline or put it off.`;
}
