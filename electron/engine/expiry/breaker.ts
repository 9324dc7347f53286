export interface BreakerSettings {
  /** Share of the collection, 0 to 1. */
  readonly breakerShare: number;
  readonly breakerDocuments: number;
}

/**
 * Returns whether the circuit breaker trips [R8]: `due` documents of `documents` became due at once through a person's
 * change. Both bounds must be exceeded, since a small number of documents is quickly restored, and a small share is
 * normal for a policy.
 */
export function tripsBreaker(
  { due, documents }: { due: number; documents: number },
  { breakerShare, breakerDocuments }: BreakerSettings,
): boolean {
  return due > breakerDocuments && due > breakerShare * documents;
}
