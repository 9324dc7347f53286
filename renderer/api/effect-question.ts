import { ORPCError } from '@orpc/client';
import { type Effect, effectIn } from '../../shared/contract/schemas/effect.ts';
import { createStore, type ReadableStore } from '../state/store.ts';
import { Declined } from './confirm-production-write.ts';

/** A call whose effect needs a confirmation [R8], shown by a dialog. */
export interface EffectQuestion {
  readonly effect: Effect;
  /** `reaper`, `run`. */
  readonly path: readonly string[];
  readonly input: unknown;
}

const pending = createStore<EffectQuestion | null>(null);
let resolvePending: ((isConfirmed: boolean) => void) | null = null;

export const effectQuestion: ReadableStore<EffectQuestion | null> = pending;

export function answerEffect(isConfirmed: boolean): void {
  resolvePending?.(isConfirmed);
}

/** Resolves when the person confirms the effect; throws `Declined` otherwise. Declines an earlier question. */
export async function confirmEffect(question: EffectQuestion): Promise<void> {
  resolvePending?.(false);
  const isConfirmed = await new Promise<boolean>(resolve => {
    resolvePending = answer => {
      resolvePending = null;
      pending.set(null);
      resolve(answer);
    };
    pending.set(question);
  });
  if (!isConfirmed) throw new Declined();
}

/** Returns the effect stated in the engine's refusal of a call; null for any other error. */
export function refusedEffect(error: unknown): Effect | null {
  return error instanceof ORPCError && error.code === 'EXPECTATION_FAILED' ? effectIn(error.data) : null;
}
