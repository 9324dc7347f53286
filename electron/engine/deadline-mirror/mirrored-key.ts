/** A key of a remote store, as its adapter read it. */
export interface MirroredKey {
  /** As shown and addressed; unique in the connection. */
  readonly id: string;
  readonly collection: string;
  /** Epoch ms by the server's clock; null: never expires. */
  readonly deadlineAt: number | null;
  /** The engine's word for it, such as `string` or `hash`. */
  readonly type: string;
  /** Null: not measured; the size that was last measured stays. */
  readonly bytes: number | null;
}

/** Why a key is no longer in its store. A key that was overwritten has not left. */
export const DEPARTURE_CAUSES = ['expired', 'evicted', 'deleted'] as const;
export type DepartureCause = (typeof DEPARTURE_CAUSES)[number];

export interface Departure {
  readonly id: string;
  readonly cause: DepartureCause;
  /** When it was observed, epoch ms by the server's clock. */
  readonly at: number;
  /** Whether the lag is the server's own: not within a span in which Sandglass scanned, and not on a replica. */
  readonly measuresLag: boolean;
}
