import type { Clock } from '../../../platform/clock.ts';
import { errorFields, type Logger } from '../../../platform/logger.ts';
import type { Catalog, CatalogChange } from '../catalog/catalog.ts';
import { isUnreachable } from '../connection/postgres-failure.ts';
import type { PooledSession, SessionPool } from '../connection/session-pool.ts';
import type { ServerFacts } from './server-facts.ts';

const EVERY_MS = 2_000;
/** Of many tables the catalog takes long to read: that is at most this share of the time. */
const SHARE = 1 / 20;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;
const FACTS_EVERY_MS = 15_000;
const ROUND_TRIPS = 5;

export interface ServerWatchOptions<Facts extends ServerFacts> {
  readonly readFacts: (session: PooledSession) => Promise<Facts>;
  readonly pool: SessionPool;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly log: Logger;
  /** The tables, or what was written to them, have changed. */
  onCatalog(change: CatalogChange): void;
  /** The server was lost or found again, or its facts have changed. */
  onState(): void;
}

/** Polls a server: whether it can be reached and how far away it is, its facts, and its tables. Tries again with backoff. */
export class ServerWatch<Facts extends ServerFacts = ServerFacts> {
  readonly #options: ServerWatchOptions<Facts>;
  readonly #stop = new AbortController();
  readonly #trips: number[] = [];
  #facts: Facts | null = null;
  #factsAt = Number.NEGATIVE_INFINITY;
  #unreachable: { since: number; reason: string } | null = null;
  #done: Promise<void> = Promise.resolve();
  #failures = 0;

  constructor(options: ServerWatchOptions<Facts>) {
    this.#options = options;
  }

  /** Null: the server was not reached yet. */
  get facts(): Facts | null {
    return this.#facts;
  }

  get unreachable(): { since: number; reason: string } | null {
    return this.#unreachable;
  }

  /** Median of the last round trips, ms; null: none was measured. */
  get roundTripMs(): number | null {
    return this.#trips.toSorted((a, b) => a - b)[Math.floor(this.#trips.length / 2)] ?? null;
  }

  /** Reads the server once, then again and again until `stop`. Rejects if the first reading fails. */
  async start(): Promise<void> {
    try {
      await this.#poll();
    } finally {
      this.#done = this.#pollUntilStopped();
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #pollUntilStopped(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    let tookMs = 0;
    for (;;) {
      await clock.sleep(this.#pauseMs(tookMs), signal);
      if (signal.aborted) return;
      const startedAt = clock.elapsed();
      try {
        await this.#poll();
      } catch (error) {
        if (!signal.aborted) log.debug('PostgreSQL could not be polled', errorFields(error));
      }
      tookMs = clock.elapsed() - startedAt;
    }
  }

  #pauseMs(tookMs: number): number {
    if (this.#failures > 0)
      return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.#failures - 1, 8));
    return Math.max(EVERY_MS, tookMs / SHARE);
  }

  async #poll(): Promise<void> {
    const { pool, catalog, clock, readFacts, onCatalog, onState } = this.#options;
    try {
      await this.#measure();
      if (clock.elapsed() - this.#factsAt > FACTS_EVERY_MS || this.#unreachable !== null) {
        const facts = await pool.use(readFacts);
        const isSame = JSON.stringify(facts) === JSON.stringify(this.#facts);
        this.#facts = facts;
        this.#factsAt = clock.elapsed();
        if (!isSame) onState();
      }
      const change = await catalog.refresh();
      this.#reached();
      if (change.collections.size > 0) onCatalog(change);
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  async #measure(): Promise<void> {
    const { pool, clock } = this.#options;
    await pool.use(async session => {
      const sentAt = clock.elapsed();
      await session.query('SELECT 1');
      this.#trips.push(clock.elapsed() - sentAt);
      if (this.#trips.length > ROUND_TRIPS) this.#trips.shift();
    });
  }

  #reached(): void {
    this.#failures = 0;
    if (this.#unreachable === null) return;
    this.#unreachable = null;
    this.#options.onState();
  }

  /** A refusal, as of a password that was changed, is a server that cannot be used: it is tried again as well. */
  #failed(error: unknown): void {
    this.#failures++;
    // One slow reading of the catalog is no lost server.
    if (!isUnreachable(error) && this.#failures < 2) return;
    const reason = error instanceof Error ? error.message : String(error);
    if (this.#unreachable?.reason === reason) return;
    this.#unreachable = { since: this.#unreachable?.since ?? this.#options.clock.now(), reason };
    this.#options.onState();
  }
}
