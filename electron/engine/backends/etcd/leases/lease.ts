/** A lease as it was last measured. */
export interface Lease {
  readonly id: string;
  /** When the server revokes it, by the clock of this machine, epoch ms ± 1 s, unless it is kept alive. */
  readonly deadlineAt: number;
  /** Its duration, which each keep-alive restarts. */
  readonly grantedMs: number;
  /** When the request of the last measurement was sent, epoch ms. */
  readonly measuredAt: number;
}

/** Answer of TimeToLive. */
export interface TimeToLive {
  readonly id: string;
  /** Whole seconds left, rounded down. */
  readonly seconds: number;
  readonly grantedSeconds: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/**
 * Returns the lease after a measurement. Seconds are rounded down, so a measurement gives a span of one second and the
 * round trip: a known deadline in that span stays; otherwise the middle of the span replaces it. A deadline that moved
 * to a later span means that the lease was kept alive or extended.
 */
export function measured(known: Lease | undefined, ttl: TimeToLive): Lease {
  const earliest = ttl.sentAt + ttl.seconds * 1_000;
  const latest = ttl.receivedAt + (ttl.seconds + 1) * 1_000;
  const stays = known !== undefined && known.deadlineAt >= earliest && known.deadlineAt <= latest;
  return {
    id: ttl.id,
    deadlineAt: stays ? known.deadlineAt : Math.round((earliest + latest) / 2),
    grantedMs: ttl.grantedSeconds * 1_000,
    measuredAt: ttl.sentAt,
  };
}

/** Returns a lease that was just granted; its deadline is exact to half of the round trip. */
export function granted(ttl: TimeToLive): Lease {
  return {
    id: ttl.id,
    deadlineAt: Math.round((ttl.sentAt + ttl.receivedAt) / 2) + ttl.seconds * 1_000,
    grantedMs: ttl.grantedSeconds * 1_000,
    measuredAt: ttl.sentAt,
  };
}

const SOONEST_MS = 1_000;
const LATEST_MS = 60_000;

/**
 * Returns when to measure again: after a third of the remaining time, which is the interval of clients' keep-alives.
 * Measurements thus become more frequent towards the deadline.
 */
export function nextMeasurementAt({ deadlineAt, measuredAt }: Lease): number {
  return measuredAt + Math.min(LATEST_MS, Math.max(SOONEST_MS, (deadlineAt - measuredAt) / 3));
}

/** The server may revoke a lease this much before its measured deadline. */
const TOLERANCE_MS = 1_500;

/** Returns true if a lease that is gone at `at` cannot have expired: a keep-alive only moves a deadline later. */
export function isTooEarlyToExpire({ deadlineAt }: Lease, at: number): boolean {
  return at < deadlineAt - TOLERANCE_MS;
}

/**
 * Returns whether the lag of an expiry at `at` can be measured. A keep-alive after the last measurement, which raises
 * no event, would have moved the deadline beyond `measuredAt + grantedMs`: if the key expired before that, there was
 * none.
 */
export function hasMeasurableLag({ measuredAt, grantedMs }: Lease, at: number): boolean {
  return at < measuredAt + grantedMs;
}
