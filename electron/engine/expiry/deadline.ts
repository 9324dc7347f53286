import type { ReferenceTime } from '../../../shared/model/reference-time.ts';

/** Part of a TTL index that computes deadlines. */
export interface DeadlineRule {
  /** Added to the reference time, ms. */
  readonly addMs: number;
  readonly isPaused: boolean;
  /** False while the index is building, waits for confirmation or only observes; it then has no effect [R1, R6]. */
  readonly isActing: boolean;
  /** True if a document that is due under it is hidden: the action deletes or moves [V1]. */
  readonly hides: boolean;
  /** Returns the reference time. `updatedAt` is when the document was last written, epoch ms. */
  read(document: unknown, updatedAt: number): ReferenceTime;
}

/** Explicit expiration as stored: an instant (epoch ms), NEVER for a pin, null for none [E1]. */
export type ExplicitAt = number | null;
export const NEVER = -1;

/** Everything that determines a document's deadline. */
export interface Expiring {
  readonly value: unknown;
  readonly updatedAt: number;
  readonly explicitAt: ExplicitAt;
  /** True if the explicit expiration deletes or moves the document, which is the default. */
  readonly explicitHides: boolean;
}

interface IndexDeadline<Rule> {
  kind: 'index';
  rule: Rule;
  reference: number;
  at: number;
  hidesAt: number | null;
}

/**
 * A document's deadline, the rule that gives it, and the instant from which it is hidden (null if its action leaves it
 * visible).
 */
export type Deadline<Rule> =
  | { kind: 'pinned' }
  | { kind: 'explicit'; at: number; hidesAt: number | null }
  | IndexDeadline<Rule>
  | { kind: 'none' };

/**
 * Returns a document's deadline [D9, E1]: the explicit one if set; else the earliest among rules that are not paused;
 * else the earliest among paused ones, since a pause stops the action and not the deadline [R6]. Rules for which
 * `isOut` returns true have quarantined this document and give it no deadline [A5].
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
      // Hidden from the earliest deadline of the rules that hide, whichever rule governs.
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

/** Returns whether the document is due for deletion or a move, and so hidden from ordinary reads [V1]. */
export function isHidden(deadline: Deadline<unknown>, now: number): boolean {
  return (
    (deadline.kind === 'explicit' || deadline.kind === 'index') &&
    deadline.hidesAt !== null &&
    now >= deadline.hidesAt
  );
}
