import type { ReferenceTime } from '../../../shared/model/reference-time.ts';

/** What of a TTL index the computing of deadlines needs. */
export interface DeadlineRule {
  /** Milliseconds added to the reference time. */
  readonly addMs: number;
  readonly isPaused: boolean;
  /** False while it is being built: a rule that is not complete has no effect. */
  readonly isReady: boolean;
  read(document: unknown): ReferenceTime;
}

/** An explicit expiration as it is stored: an instant (epoch ms), NEVER for a pin, null for none [E1]. */
export type ExplicitAt = number | null;
export const NEVER = -1;

/** Which rule gives a document its deadline, and what that is. */
export type Deadline<Rule> =
  | { kind: 'pinned' }
  | { kind: 'explicit'; at: number }
  | { kind: 'index'; rule: Rule; reference: number; at: number }
  | { kind: 'none' };

/**
 * A document's deadline [D9, E1]: the explicit one where there is one; else the earliest among the rules that are
 * not paused; else, where only paused ones have one, the earliest of those, so that a pause stops the action and
 * not the meaning [R6].
 */
export function deadlineOf<Rule extends DeadlineRule>(
  document: unknown,
  explicitAt: ExplicitAt,
  rules: readonly Rule[],
): Deadline<Rule> {
  if (explicitAt === NEVER) return { kind: 'pinned' };
  if (explicitAt !== null) return { kind: 'explicit', at: explicitAt };
  let best: (Deadline<Rule> & { kind: 'index' }) | null = null;
  for (const rule of rules) {
    if (!rule.isReady) continue;
    const reference = rule.read(document);
    if (!('at' in reference)) continue;
    const at = reference.at + rule.addMs;
    const better =
      best === null || (best.rule.isPaused === rule.isPaused ? at < best.at : best.rule.isPaused);
    if (better) best = { kind: 'index', rule, reference: reference.at, at };
  }
  return best ?? { kind: 'none' };
}

export function deadlineAt(deadline: Deadline<unknown>): number | null {
  return deadline.kind === 'explicit' || deadline.kind === 'index' ? deadline.at : null;
}

/** Due means `now >= deadline` [D10]; a document due for deletion is hidden from then on [V1]. */
export function isDue(deadline: Deadline<unknown>, now: number): boolean {
  const at = deadlineAt(deadline);
  return at !== null && now >= at;
}
