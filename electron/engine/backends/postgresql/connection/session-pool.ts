import type pg from 'pg';
import type { ServerNetwork } from '../../../network/server-network.ts';
import type { Clock } from '../../../platform/clock.ts';
import { connectClient, isEncrypted, processIdOf, type SessionSettings, sessionOf } from './client.ts';
import { isUnreachable } from './postgres-failure.ts';
import type { PostgresTarget } from './postgres-uri.ts';
import { inTransaction, type OwnSession, type QueryResult, type Session } from './session.ts';

/** Calls wait for a free session beyond this number, so that the server keeps its connections for others. */
const MOST_SESSIONS = 4;
const IDLE_MS = 30_000;

/** Limits of a call of the window. */
const CALL_LIMITS = { statementTimeoutMs: 15_000, lockTimeoutMs: 2_000 };

interface Pooled {
  readonly client: pg.Client;
  isLost: boolean;
  cancelDiscard(): void;
}

/** A session for the time of one call. */
export interface PooledSession extends Session {
  /** Process that the server named when the session began; null: it named none. */
  readonly processId: number | null;
  /** Whether the connection is encrypted up to the server, or its pooler. */
  readonly isEncrypted: boolean;
}

/**
 * A few sessions, which calls take in turn. A session that is lost is replaced with the next call, which rejects if the
 * server cannot be reached then: nothing is queued for a server that is away, and nothing is sent twice.
 */
export class SessionPool {
  readonly #target: PostgresTarget;
  readonly #readOnly: boolean;
  readonly #network: ServerNetwork | undefined;
  readonly #clock: Clock;
  readonly #idle: Pooled[] = [];
  readonly #own = new Set<OwnSession>();
  readonly #waiting: (() => void)[] = [];
  #used = 0;
  #isClosed = false;

  constructor(
    target: PostgresTarget,
    { readOnly, network, clock }: { readOnly: boolean; network?: ServerNetwork | undefined; clock: Clock },
  ) {
    this.#network = network;
    this.#target = target;
    this.#readOnly = readOnly;
    this.#clock = clock;
  }

  /** Runs `work` in a session of its own for that time. Rejects with a typed error; see `postgresFailure`. */
  async use<Result>(work: (session: PooledSession) => Promise<Result>): Promise<Result> {
    const pooled = await this.#take();
    let failed = false;
    try {
      const { client } = pooled;
      return await work({
        ...sessionOf(client),
        processId: processIdOf(client),
        isEncrypted: isEncrypted(client),
      });
    } catch (error) {
      failed = isUnreachable(error);
      throw error;
    } finally {
      this.#giveBack(pooled, failed);
    }
  }

  /** Runs `work` in a transaction that reads one snapshot, and can write nothing. */
  read<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.use(session =>
      inTransaction(session, () => work(session), 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'),
    );
  }

  /** Runs `work` in a transaction. */
  write<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.use(session => inTransaction(session, () => work(session)));
  }

  /** Runs one statement. */
  query<Row extends object>(sql: string, params?: readonly unknown[]): Promise<QueryResult<Row>> {
    return this.use(session => session.query<Row>(sql, params));
  }

  /** Opens a session that is not shared, until it is closed or the pool is. */
  async open(settings: SessionSettings): Promise<OwnSession> {
    const readOnly = settings.readOnly || this.#readOnly;
    const client = await connectClient(this.#target, { ...settings, readOnly }, this.#network);
    const ended = new Set<() => void>();
    let isEnded = false;
    const end = () => {
      isEnded = true;
      this.#own.delete(own);
      for (const listener of ended) listener();
      ended.clear();
    };
    const own: OwnSession = {
      ...sessionOf(client),
      processId: processIdOf(client),
      onEnd(listener) {
        if (isEnded) listener();
        else ended.add(listener);
        return () => ended.delete(listener);
      },
      close: () => client.end().catch(() => {}),
    };
    client.once('end', end);
    this.#own.add(own);
    if (this.#isClosed) await own.close();
    return own;
  }

  /** Ends all sessions; calls that run reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const clients = this.#idle.splice(0);
    for (const { cancelDiscard } of clients) cancelDiscard();
    await Promise.all([
      ...clients.map(({ client }) => client.end().catch(() => {})),
      ...[...this.#own].map(own => own.close()),
    ]);
  }

  async #take(): Promise<Pooled> {
    if (this.#used >= MOST_SESSIONS) await new Promise<void>(resolve => this.#waiting.push(resolve));
    else this.#used++;
    for (let found = this.#idle.pop(); found !== undefined; found = this.#idle.pop()) {
      found.cancelDiscard();
      if (!found.isLost) return found;
    }
    try {
      return await this.#connect();
    } catch (error) {
      this.#pass();
      throw error;
    }
  }

  async #connect(): Promise<Pooled> {
    const settings = { name: 'sandglass', readOnly: this.#readOnly, ...CALL_LIMITS };
    const client = await connectClient(this.#target, settings, this.#network);
    const pooled: Pooled = { client, isLost: false, cancelDiscard() {} };
    client.once('end', () => {
      pooled.isLost = true;
    });
    client.on('error', () => {
      pooled.isLost = true;
    });
    return pooled;
  }

  /** A session whose last statement got no reply may still run it, and is ended. */
  #giveBack(pooled: Pooled, failed: boolean): void {
    if (failed || pooled.isLost || this.#isClosed) void pooled.client.end().catch(() => {});
    else {
      pooled.cancelDiscard = this.#clock.setTimer(IDLE_MS, () => this.#discard(pooled));
      this.#idle.push(pooled);
    }
    this.#pass();
  }

  #discard(pooled: Pooled): void {
    const place = this.#idle.indexOf(pooled);
    if (place !== -1) this.#idle.splice(place, 1);
    void pooled.client.end().catch(() => {});
  }

  /** Gives the place of a session to the call that waited longest. */
  #pass(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#used--;
    else next();
  }
}
