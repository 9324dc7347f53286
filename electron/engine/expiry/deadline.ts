import type { ReferenceTime } from '../../../shared/model/reference-time.ts';

/** What of a TTL index the computing of deadlines needs. */
export interface DeadlineRule {
  /** Milliseconds added to the reference time. */
  readonly addMs: number;
  readonly isPaused: boolean;
  /** False while it is being built, waits for confirmation or only observes: then it has no effect [R1, R6]. */
  readonly isActing: boolean;
  /** Due for it, a document is hidden: it deletes or moves [V1]. */
  readonly hides: boolean;
  /** `updatedAt` is when the document was last written, epoch ms. */
  read(document: unknown, updatedAt: number): ReferenceTime;
}

/** An explicit expiration as it is stored: an instant (epoch ms), NEVER for a pin, null for none [E1]. */
export type ExplicitAt = number | null;
export const NEVER = -1;

/** All that decides a document's deadline. */
export interface Expiring {
  readonly value: unknown;
  readonly updatedAt: number;
  readonly explicitAt: ExplicitAt;
  /** Its explicit expiration deletes or moves it, which is so unless it was given another action. */
  readonly explicitHides: boolean;
}

interface IndexDeadline<Rule> {
  kind: 'index';
  rule: Rule;
  reference: number;
  at: number;
  hidesAt: number | null;
}

/** Which rule gives a document its deadline, what that is, and since when it is hidden (null: its action leaves it to be seen). */
export type Deadline<Rule> =
  | { kind: 'pinned' }
  | { kind: 'explicit'; at: number; hidesAt: number | null }
  | IndexDeadline<Rule>
  | { kind: 'none' };

/**
 * A document's deadline [D9, E1]: the explicit one where there is one; else the earliest among the rules that are
 * not paused; else, where only paused ones have one, the earliest of those, so that a pause stops the action and
 * not the meaning [R6]. `isOut` names rules that have given up on this document: they give it none [A5].
 */
export function deadlineOf<Rule extends DeadlineRule>(
  { value, updatedAt, explicitAt, explicitHides }: Expiring,
  rules: readonly Rule[],
  isOut?: (rule: Rule) => boolean,
): Deadline<Rule> {
  if (explicitAt === NEVER) return { kind: 'pinned' };
  if (explicitAt !== null)
    return { kind: 'explicit', at: explicitAt, hidesAt: explicitHides ? explicitAt : null };
  let best: IndexDeadline<Rule> | null = null;
  for (const rule of rules) {
    if (!rule.isActing || isOut?.(rule) === true) continue;
    const reference = rule.read(value, updatedAt);
    if (!('at' in reference)) continue;
    const at = reference.at + rule.addMs;
    const hidesAt = rule.hides ? at : null;
    const found: IndexDeadline<Rule> = { kind: 'index', rule, reference: reference.at, at, hidesAt };
    if (best === null || (best.rule.isPaused && !rule.isPaused)) best = found;
    else if (best.rule.isPaused === rule.isPaused) {
      // The earliest of those that hide, whichever of them governs.
      const governing: IndexDeadline<Rule> = at < best.at ? found : best;
      best = { ...governing, hidesAt: earlier(best.hidesAt, hidesAt) };
    }
  }
  return best ?? { kind: 'none' };
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

export function deadlineAt(deadline: Deadline<unknown>): number | null {
  return deadline.kind === 'explicit' || deadline.kind === 'index' ? deadline.at : null;
}

/** Due means `now >= deadline` [D10]. */
export function isDue(deadline: Deadline<unknown>, now: number): boolean {
  const at = deadlineAt(deadline);
  return at !== null && now >= at;
}

/** Due for deletion or a move, and so invisible to ordinary reads [V1]. */
export function isHidden(deadline: Deadline<unknown>, now: number): boolean {
  return (
    (deadline.kind === 'explicit' || deadline.kind === 'index') &&
    deadline.hidesAt !== null &&
    now >= deadline.hidesAt
  );
}
