/** A key of a remote store, as its adapter read it. */
export interface MirroredKey {
  /** The id in lists and calls; unique in the connection. */
  readonly id: string;
  readonly collection: string;
  /** Epoch ms by the server's clock; null: never expires. */
  readonly deadlineAt: number | null;
  /** The engine's name of the type, such as `string` or `hash`. */
  readonly type: string;
  /** Null: not measured; the last measured size stays. */
  readonly bytes: number | null;
}

/** Why a key is no longer in its store. Overwriting a key does not remove it. */
export const DEPARTURE_CAUSES = ['expired', 'evicted', 'deleted'] as const;
export type DepartureCause = (typeof DEPARTURE_CAUSES)[number];

export interface Departure {
  readonly id: string;
  readonly cause: DepartureCause;
  /** When it was observed, epoch ms by the server's clock. */
  readonly at: number;
  /** True if the lag is caused by the server only: false during a scan of Sandglass, and on a replica. */
  readonly measuresLag: boolean;
}
