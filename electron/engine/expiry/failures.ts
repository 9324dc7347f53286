import type { ReapSource } from './expiry-store.ts';

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/** Error of the reaper; `since` and `retryAt` in epoch ms. */
export interface Failure {
  readonly message: string;
  readonly since: number;
  readonly retryAt: number;
  readonly retryMs: number;
}

/** Returns the failure that follows `before`. Retries back off: 1 s, 2 s, … 60 s. */
export function failureAfter(before: Failure | null, error: unknown, now: number): Failure {
  const retryMs = before === null ? FIRST_RETRY_MS : Math.min(before.retryMs * 2, LONGEST_RETRY_MS);
  const message = error instanceof Error ? error.message : String(error);
  return { message, since: before?.since ?? now, retryAt: now + retryMs, retryMs };
}

/** Sources whose last batch threw. Each is retried on its own; the others continue [R4]. */
export class SourceFailures {
  readonly #failures = new Map<string, Failure>();

  failed({ key }: ReapSource, error: unknown, now: number): Failure {
    const failure = failureAfter(this.#failures.get(key) ?? null, error, now);
    this.#failures.set(key, failure);
    return failure;
  }

  /** Returns whether the source had failed before. */
  recovered({ key }: ReapSource): boolean {
    return this.#failures.delete(key);
  }

  /** Returns when the source is retried, epoch ms; 0 if it has not failed. */
  retryAt({ key }: ReapSource, now: number): number {
    const failure = this.#failures.get(key);
    if (failure === undefined) return 0;
    if (failure.retryAt - now <= failure.retryMs) return failure.retryAt;
    // The clock was set back since [R10].
    const retryAt = now + failure.retryMs;
    this.#failures.set(key, { ...failure, retryAt });
    return retryAt;
  }

  /** Removes the failures of all other sources. */
  keepOnly(sources: readonly ReapSource[]): void {
    if (this.#failures.size === 0) return;
    const keys = new Set(sources.map(({ key }) => key));
    for (const key of this.#failures.keys()) if (!keys.has(key)) this.#failures.delete(key);
  }

  get first(): Failure | null {
    return this.#failures.values().next().value ?? null;
  }
}
