import type { Pass, ReaperState } from '../../../../shared/contract/reaper.ts';
import type { Preview, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { noSuchIndex, type Pause } from '../../../../shared/model/ttl-index.ts';
import type { MeterRegistry } from '../../expiry/meters.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Governance, GovernedDefinition, HistoryQuery, PauseScope, PreviewQuery } from '../backend.ts';
import type { Catalog } from './catalog/catalog.ts';
import { readColumns } from './catalog/columns.ts';
import type { TableEntry } from './catalog/table-entry.ts';
import { readDateColumns } from './cockroach/deadlines/date-columns.ts';
import { toTtlIndex } from './cockroach/deadlines/ttl-index.ts';
import { isRunning, passesOf } from './cockroach/deadlines/ttl-passes.ts';
import { previewTtl } from './cockroach/deadlines/ttl-preview.ts';
import type { TableTtl, TtlWatch } from './cockroach/deadlines/ttl-watch.ts';
import { readTtls } from './cockroach/server/cockroach-catalog.ts';
import type { CockroachFacts } from './cockroach/server/cockroach-facts.ts';
import { judged } from './cockroach/server/judged.ts';
import { readTtlJobs } from './cockroach/server/ttl-jobs.ts';
import { definitionOf, parametersOf, TTL_NAME } from './cockroach/ttl/ttl-definition.ts';
import { dropTtlStatement, type TtlParameters, ttlStatements } from './cockroach/ttl/ttl-parameters.ts';
import type { SessionPool } from './connection/session-pool.ts';

interface Parts {
  readonly pool: SessionPool;
  readonly catalog: Catalog;
  readonly watch: TtlWatch;
  readonly clock: Clock;
  readonly meters: MeterRegistry;
  facts(): CockroachFacts | null;
  isReachable(): boolean;
  revision(): number;
}

/** A change of a schema that fills a column waits for every node, and takes as long as the table is large. */
const CHANGE_LIMITS = { statementTimeoutMs: 600_000, lockTimeoutMs: 30_000 };

/** Row-level TTL of the tables of a CockroachDB database: one TTL index a table, kept and applied by the cluster. */
export class CockroachGovernance implements Governance {
  readonly schemaControl = null;
  readonly run = null;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async indexes(collection: string): Promise<TtlIndex[]> {
    const { watch, catalog, clock } = this.#parts;
    await catalog.table(collection);
    const found = watch.snapshot.tables.get(collection);
    return found === undefined ? [] : [toTtlIndex(found, clock.now())];
  }

  async definition(collection: string, index: string): Promise<GovernedDefinition> {
    return definitionOf(await this.#present(collection, index));
  }

  readonly statements = async (collection: string, definition: GovernedDefinition): Promise<string[]> => {
    const { entry, before, after } = await this.#planned(collection, definition);
    const changes = ttlStatements(entry.name, before, after);
    return changes.length > 0 ? changes : ttlStatements(entry.name, null, after);
  };

  async create(collection: string, definition: GovernedDefinition): Promise<void> {
    const { entry, before, after } = await this.#planned(collection, definition);
    if (before !== null)
      throw new SandglassError(
        'TTL_INDEX_EXISTS',
        `${collection} has a row-level TTL, and can have one only.`,
      );
    await this.#execute(ttlStatements(entry.name, null, after));
  }

  async change(collection: string, definition: GovernedDefinition): Promise<void> {
    const { entry, before, after } = await this.#planned(collection, definition);
    if (before === null) throw noSuchIndex(collection, definition.name);
    await this.#execute(ttlStatements(entry.name, before, after));
  }

  async drop(collection: string, index: string): Promise<void> {
    await this.#present(collection, index);
    const { name } = await this.#parts.catalog.table(collection);
    await this.#execute([dropTtlStatement(name)]);
  }

  /** Counts by a read of a few seconds ago where the cluster serves such reads. Rejects with CANCELLED. */
  preview(query: PreviewQuery, signal?: AbortSignal): Promise<Preview> {
    return previewTtl(this.#parts, query, signal);
  }

  async candidates(collection: string): ReturnType<Governance['candidates']> {
    const { pool, catalog } = this.#parts;
    const entry = await catalog.table(collection);
    const found = await pool.read(async session =>
      readDateColumns(session, entry, await readColumns(session, entry)),
    );
    return { ...found, documents: entry.rows, expressions: [] };
  }

  /** CockroachDB keeps no history of these parameters. */
  async history(): Promise<[]> {
    return [];
  }

  async dropped(): Promise<[]> {
    return [];
  }

  get reaperState(): ReaperState {
    const { watch, meters, clock, facts, isReachable } = this.#parts;
    const { tables, jobs } = watch.snapshot;
    const now = clock.now();
    const next = [...tables.values()].flatMap(({ schedule }) => schedule?.nextRunAt ?? []);
    return {
      state: 'engine',
      paused: facts()?.isTtlEnabled === false ? { by: 'sql.ttl.job.enabled', since: now } : null,
      pausedCollections: [],
      pausedIndexes: [...tables].flatMap(([collection, { paused }]) =>
        paused === null ? [] : [{ collection, index: TTL_NAME, ...paused }],
      ),
      holds: [],
      nextWakeAt: next.length === 0 ? null : Math.min(...next),
      diskFull: null,
      active: isReachable() && (jobs ?? []).some(isRunning),
      problem: null,
      cutoff: null,
      removedPerSecond: meters.store.removed.perSecond(now),
      writtenPerSecond: meters.store.written.perSecond(now),
      unswept: 0,
    };
  }

  /** A table is paused by `ttl_pause`; all tables of the database by their schedules. A resumed table runs by both. */
  async setPause({ collection, index }: PauseScope, pause: Pause | null): Promise<void> {
    const { watch } = this.#parts;
    if (collection !== undefined) {
      const ttl = await this.#present(collection, index ?? TTL_NAME);
      const found = watch.snapshot.tables.get(collection);
      const { name } = await this.#parts.catalog.table(collection);
      const changes = ttlStatements(name, ttl, { ...ttl, ttl_pause: pause !== null });
      const resumed = pause === null && found !== undefined ? resumeSchedule(found) : [];
      await this.#execute([...changes, ...resumed], () => {
        if (found !== undefined && pause !== null) watch.pausedBy(found.entry.oid, pause);
      });
      return;
    }
    const all = [...watch.snapshot.tables.values()];
    if (!watch.snapshot.canReadSchedules)
      throw new SandglassError(
        'PERMISSION_DENIED',
        'This user may not read the schedules of row-level TTL, so that they cannot be paused or resumed together. Pause each table.',
      );
    await this.#execute(all.flatMap(pause === null ? resumeSchedule : pauseSchedule), () => {
      if (pause !== null) for (const { entry } of all) watch.pausedBy(entry.oid, pause);
    });
  }

  /** Nothing is held on CockroachDB. */
  async confirm(): Promise<void> {}

  async passes({
    collection,
    limit,
    before,
  }: HistoryQuery & { before?: number | undefined }): Promise<{ passes: Pass[]; next: number | null }> {
    const { pool, catalog, facts } = this.#parts;
    const entry = collection === undefined ? null : await catalog.table(collection);
    const jobs = await pool.use(session =>
      readTtlJobs(session, { before: before ?? null, limit: MOST_JOBS }),
    );
    const ofDatabase = (jobs ?? []).filter(
      ({ table }) => table === null || table.database === facts()?.database,
    );
    const all = passesOf(ofDatabase, catalog.all).filter(
      pass => entry === null || pass.collection === entry.collection,
    );
    const passes = all.slice(0, limit);
    const isWhole = all.length <= limit && (jobs ?? []).length < MOST_JOBS;
    const last = passes.at(-1)?.id ?? (jobs?.at(-1)?.createdAt ?? 0) * 1_000;
    return { passes, next: isWhole ? null : Math.round(last) };
  }

  /** Returns the TTL of a table as it is now. Throws TTL_INDEX_NOT_FOUND. */
  async #present(collection: string, index: string): Promise<TtlParameters> {
    const { pool, catalog } = this.#parts;
    const { oid } = await catalog.table(collection);
    const ttl = (await pool.use(readTtls)).get(oid);
    if (ttl === undefined || index !== TTL_NAME) throw noSuchIndex(collection, index);
    return ttl;
  }

  async #planned(
    collection: string,
    definition: GovernedDefinition,
  ): Promise<{ entry: TableEntry; before: TtlParameters | null; after: TtlParameters }> {
    const { pool, catalog } = this.#parts;
    const entry = await catalog.table(collection);
    return pool.use(async session => {
      const before = (await readTtls(session)).get(entry.oid) ?? null;
      return { entry, before, after: parametersOf(definition, await readColumns(session, entry), before) };
    });
  }

  /**
   * Executes statements one after another, each in a transaction of its own, as CockroachDB requires of changes of a TTL. `onEnd`
   * is called before the TTLs are read again.
   */
  async #execute(statements: readonly string[], onEnd = () => {}): Promise<void> {
    const { pool, watch } = this.#parts;
    const session = await pool.open({ name: 'sandglass ttl', readOnly: false, ...CHANGE_LIMITS });
    const done: string[] = [];
    try {
      for (const statement of statements) {
        await judged(() => session.query(statement), done);
        done.push(statement);
      }
    } finally {
      await session.close();
      onEnd();
      await watch.refresh();
    }
  }
}

/** Jobs that are read at once for a page of passes. */
const MOST_JOBS = 1_000;

function pauseSchedule({ schedule }: TableTtl): string[] {
  return schedule === null || schedule.isPaused ? [] : [`PAUSE SCHEDULE ${schedule.id}`];
}

function resumeSchedule({ schedule }: TableTtl): string[] {
  return schedule?.isPaused === true ? [`RESUME SCHEDULE ${schedule.id}`] : [];
}
