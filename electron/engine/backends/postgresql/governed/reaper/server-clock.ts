import type { Session } from '../../connection/session.ts';

/** The server's clock and the state of the schema, read in one statement. */
export interface ServerNow {
  /** The instant as text, to the microsecond: a cutoff. */
  readonly text: string;
  /** Epoch ms. */
  readonly ms: number;
  /** Revision of all definitions and pauses. */
  readonly revision: string;
  /** All removal is paused [R6]. */
  readonly isPaused: boolean;
  /** All removal is held until a person confirms [R9, R10]. */
  readonly isHeld: boolean;
  /** A person started a pass, which has not ended. */
  readonly isAsked: boolean;
  /** When a reaper worked last, epoch ms; null: none has. */
  readonly reapedAt: number | null;
}

export async function readServerNow(session: Session): Promise<ServerNow> {
  const { rows } = await session.query<ServerNow>(
    `SELECT now.at::text AS text, extract(epoch FROM now.at)::float8 * 1000 AS ms, s.revision::text AS revision,
      s.paused_at IS NOT NULL AS "isPaused", extract(epoch FROM s.reaped_at)::float8 * 1000 AS "reapedAt",
      EXISTS (SELECT FROM sandglass.holds WHERE relation IS NULL) AS "isHeld",
      EXISTS (SELECT FROM sandglass.runs WHERE ended_at IS NULL) AS "isAsked"
    FROM sandglass.state s, clock_timestamp() AS now(at)`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('sandglass.state has no row');
  return row;
}

/** Largest jump of the server's clock that is followed, ms. */
const BOUND_MS = 3_600_000;

/** A jump of the server's clock against this machine's stopwatch; ms, positive: forward. */
export interface ServerClockJump {
  readonly byMs: number;
}

/**
 * Compares the server's clock with this machine's stopwatch [R10]. A jump forward by more than an hour holds the reaper until
 * `accept`, or until the clock is back.
 */
export class ServerClockGuard {
  /** A hold was placed for the present jump; outlives the session. */
  isHeld = false;
  #anchor: { server: number; elapsed: number } | null = null;

  /** Returns the jump; null: there is none. Times in ms. */
  check(server: number, elapsed: number): ServerClockJump | null {
    if (this.#anchor === null) this.#anchor = { server, elapsed };
    const byMs = server - this.#anchor.server - (elapsed - this.#anchor.elapsed);
    if (byMs > BOUND_MS) return { byMs };
    // Follows small corrections, and every step back: what is then due was due before.
    this.#anchor = { server, elapsed };
    return null;
  }

  /** The server's clock is right. */
  accept(): void {
    this.#anchor = null;
    this.isHeld = false;
  }
}
