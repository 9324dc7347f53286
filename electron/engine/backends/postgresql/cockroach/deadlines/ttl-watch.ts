import type { Pause } from '../../../../../../shared/model/ttl-index.ts';
import type { Clock } from '../../../../platform/clock.ts';
import { errorFields, type Logger } from '../../../../platform/logger.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { TableEntry } from '../../catalog/table-entry.ts';
import { sqlStateOf } from '../../connection/postgres-failure.ts';
import { inTransaction } from '../../connection/session.ts';
import type { SessionPool } from '../../connection/session-pool.ts';
import { Poll } from '../../server/poll.ts';
import { readTtls } from '../server/cockroach-catalog.ts';
import { beginCounting, type CockroachFacts } from '../server/cockroach-facts.ts';
import { readTtlJobs, type TtlJob } from '../server/ttl-jobs.ts';
import { readTtlSchedules, type TtlSchedule } from '../server/ttl-schedules.ts';
import { EXPIRATION_COLUMN } from '../ttl/ttl-definition.ts';
import type { TtlParameters } from '../ttl/ttl-parameters.ts';
import { countDeadlines, type DeadlineFigures } from './deadline-counts.ts';

const REFRESH_MS = 5_000;
/** Counting reads the table: it takes at most this share of the time. */
const SHARE = 1 / 20;
const COUNT_EVERY_MS = 10_000;
const LATEST_JOBS = 200;

/** The TTL of a table, and what is known of it. */
export interface TableTtl {
  readonly entry: TableEntry;
  readonly ttl: TtlParameters;
  /** Null: it has none, or this user may not read it. */
  readonly schedule: TtlSchedule | null;
  /** Null: not counted yet, or the table is too large to be counted within the limit of a statement. */
  readonly figures: DeadlineFigures | null;
  readonly paused: Pause | null;
  /** Epoch ms at which this connection first read it. */
  readonly seenAt: number;
}

export interface TtlSnapshot {
  /** By collection. */
  readonly tables: ReadonlyMap<string, TableTtl>;
  /** Newest first; null: this user may not read them. */
  readonly jobs: readonly TtlJob[] | null;
  readonly canReadSchedules: boolean;
}

export interface TtlWatchOptions {
  readonly pool: SessionPool;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly log: Logger;
  facts(): CockroachFacts | null;
  onChange(): void;
}

interface ReadTtl {
  readonly oid: number;
  readonly ttl: TtlParameters;
  readonly schedule: TtlSchedule | null;
  /** Number of the reading that has it. */
  readonly reading: number;
}

interface Counted {
  readonly figures: DeadlineFigures | null;
  readonly deadline: string;
  readonly nextAt: number;
}

/** Returns the deadline of a row as SQL, of type timestamptz. */
export function deadlineOf({ ttl_expiration_expression: expression }: TtlParameters): string {
  return `(${expression ?? EXPIRATION_COLUMN})`;
}

/** Polls the TTLs of a database, their schedules and jobs, and counts the deadlines of their tables. */
export class TtlWatch {
  readonly #options: TtlWatchOptions;
  readonly #poll: Poll;
  /** By OID of the table. */
  readonly #counts = new Map<number, Counted>();
  readonly #seen = new Map<number, number>();
  /** With the latest reading that had begun by then: it, and those before, may not have seen the pause. */
  readonly #pauses = new Map<number, { pause: Pause; reading: number }>();
  #readings = 0;
  /** The reading that the snapshot is of. */
  #shown = 0;
  #snapshot: TtlSnapshot = { tables: new Map(), jobs: [], canReadSchedules: true };

  constructor(options: TtlWatchOptions) {
    const { clock, log } = options;
    this.#options = options;
    this.#poll = new Poll({
      clock,
      log,
      everyMs: REFRESH_MS,
      failure: 'TTLs of CockroachDB could not be read',
      read: () => this.refresh(),
    });
  }

  get snapshot(): TtlSnapshot {
    return this.#snapshot;
  }

  start(): void {
    void this.#poll.start();
  }

  async stop(): Promise<void> {
    await this.#poll.stop();
  }

  /** Records who has paused a table: the server does not keep that. */
  pausedBy(oid: number, pause: Pause): void {
    this.#pauses.set(oid, { pause, reading: this.#readings });
  }

  /** Reads the TTLs now; their rows are counted where that is due. */
  async refresh(): Promise<void> {
    const { pool, catalog, clock, facts, onChange } = this.#options;
    const reading = ++this.#readings;
    const { ttls, schedules, jobs } = await pool.use(async session => ({
      ttls: await readTtls(session),
      schedules: await readTtlSchedules(session),
      jobs: await readTtlJobs(session, { before: null, limit: LATEST_JOBS }),
    }));
    if (!catalog.hasRead) await catalog.refresh();
    const now = clock.now();
    const tables = new Map<string, TableTtl>();
    for (const entry of catalog.all) {
      const ttl = ttls.get(entry.oid);
      if (ttl === undefined) continue;
      const seenAt = this.#seen.get(entry.oid) ?? now;
      this.#seen.set(entry.oid, seenAt);
      const schedule = schedules?.find(({ oid }) => oid === entry.oid) ?? null;
      const paused = this.#pauseOf({ oid: entry.oid, ttl, schedule, reading }, now);
      const figures = await this.#figuresOf(entry, ttl);
      tables.set(entry.collection, { entry, ttl, schedule, figures, paused, seenAt });
    }
    // A later reading has ended before this one.
    if (reading < this.#shown) return;
    this.#shown = reading;
    const before = JSON.stringify([...this.#snapshot.tables]);
    const database = facts()?.database;
    const ofDatabase = jobs?.filter(({ table }) => table === null || table.database === database) ?? null;
    this.#snapshot = { tables, jobs: ofDatabase, canReadSchedules: schedules !== null };
    if (JSON.stringify([...tables]) !== before) onChange();
  }

  #pauseOf({ oid, ttl, schedule, reading }: ReadTtl, now: number): Pause | null {
    const by = ttl.ttl_pause === true ? 'ttl_pause' : schedule?.isPaused === true ? 'PAUSE SCHEDULE' : null;
    const known = this.#pauses.get(oid);
    if (by === null) {
      if (known !== undefined && known.reading < reading) this.#pauses.delete(oid);
      return null;
    }
    const pause = known?.pause ?? { by, since: now };
    if (known === undefined) this.pausedBy(oid, pause);
    return pause;
  }

  async #figuresOf({ oid, name }: TableEntry, ttl: TtlParameters): Promise<DeadlineFigures | null> {
    const { pool, clock, log, facts } = this.#options;
    const deadline = deadlineOf(ttl);
    const last = this.#counts.get(oid);
    const startedAt = clock.elapsed();
    if (last !== undefined && last.deadline === deadline && startedAt < last.nextAt) return last.figures;
    let figures: DeadlineFigures | null = null;
    try {
      figures = await pool.use(session =>
        inTransaction(session, () => countDeadlines(session, name, deadline), beginCounting(facts())),
      );
    } catch (error) {
      if (sqlStateOf(error) === null) throw error;
      log.debug('the deadlines of a table could not be counted', {
        table: name.table,
        ...errorFields(error),
      });
    }
    const endedAt = clock.elapsed();
    const pauseMs = Math.max(COUNT_EVERY_MS, (endedAt - startedAt) / SHARE);
    this.#counts.set(oid, { figures, deadline, nextAt: endedAt + pauseMs });
    return figures;
  }
}
