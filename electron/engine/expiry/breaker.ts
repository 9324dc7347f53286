export interface BreakerSettings {
  /** 0 to 1. */
  readonly breakerShare: number;
  readonly breakerDocuments: number;
}

/**
 * The circuit breaker [R8]: `due` documents of `documents` became due at once by something a person did. It trips above
 * both bounds, since a small collection is soon put back, and a small share is what a policy is for.
 */
export function trips(
  { due, documents }: { due: number; documents: number },
  { breakerShare, breakerDocuments }: BreakerSettings,
): boolean {
  return due > breakerDocuments && due > breakerShare * documents;
}
