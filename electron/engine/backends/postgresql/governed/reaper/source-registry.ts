import { EXPLICIT } from '../../../../../../shared/model/ttl-index.ts';
import type { Clock } from '../../../../platform/clock.ts';
import type { Session } from '../../connection/session.ts';
import type { LockHolder } from '../batches/batch.ts';
import { deadlineSql } from '../deadline/deadline-sql.ts';
import type { TableDefinition } from '../definition.ts';
import { readDefinitions } from '../schema/definitions-table.ts';
import type { AskedRun } from '../schema/runs-table.ts';
import { type GovernedTable, readTable, readTables } from '../table-facts.ts';
import { passesBreaker } from './breaker.ts';
import { earliestExplicit } from './explicit-batch.ts';
import { KnownProtectedRows, type ProtectedOfSource } from './known-protected-rows.ts';
import {
  definitionSource,
  explicitKey,
  explicitSource,
  type ReapedSource,
  sourceKey,
} from './reaped-source.ts';
import type { ServerNow } from './server-clock.ts';

/** Tables and their indexes are read again after this, ms: neither changes the revision. */
const REREAD_MS = 30_000;

export interface SourceRegistryOptions {
  readonly holder: LockHolder;
  readonly clock: Clock;
  /** A definition that no longer fits its table. */
  readonly onError: (table: GovernedTable, name: string, error: unknown) => void;
  /** A stored definition that this version cannot read. */
  readonly onInvalid: (name: string, error: unknown) => void;
}

/** The sources that may act: definitions that are neither paused nor observing, and explicit expirations that are due. */
export class SourceRegistry {
  readonly #options: SourceRegistryOptions;
  #revision: string | null = null;
  #readAt = 0;
  #definitions = new Map<string, ReapedSource>();
  readonly #protected: KnownProtectedRows;

  constructor(options: SourceRegistryOptions) {
    this.#options = options;
    this.#protected = new KnownProtectedRows(() => options.clock.elapsed());
  }

  /** The due rows that foreign keys protect. */
  get protectedRows(): ProtectedOfSource[] {
    return this.#protected.all;
  }

  async read(session: Session, now: ServerNow): Promise<ReapedSource[]> {
    const { clock } = this.#options;
    if (this.#revision !== now.revision || clock.elapsed() - this.#readAt > REREAD_MS) {
      await this.#readDefinitions(session, now);
      this.#revision = now.revision;
      this.#readAt = clock.elapsed();
    }
    return [...this.#definitions.values(), ...(await this.#explicit(session, now))];
  }

  /**
   * Returns the sources of a pass that a person started: what the scope has, without what is paused more narrowly or
   * observes [R6]. Rows that a foreign key protects are tried again.
   */
  async inScope(session: Session, { oid, name }: AskedRun, now: ServerNow): Promise<ReapedSource[]> {
    this.#protected.retryNow(oid);
    const isWanted = (definition: TableDefinition) =>
      (oid === null || definition.oid === oid) &&
      (name === null ? definition.paused === null : definition.definition.name === name);
    const sources = await this.#sources(session, now, isWanted);
    const explicit = name === null ? await this.#explicit(session, now) : [];
    return [...sources.values(), ...explicit.filter(({ table }) => oid === null || table.oid === oid)];
  }

  async #readDefinitions(session: Session, now: ServerNow): Promise<void> {
    this.#definitions = await this.#sources(session, now, ({ paused }) => paused === null);
    this.#protected.keepOnly(new Set(this.#definitions.keys()));
  }

  async #sources(
    session: Session,
    now: ServerNow,
    isWanted: (definition: TableDefinition) => boolean,
  ): Promise<Map<string, ReapedSource>> {
    const all = await readDefinitions(session, this.#options.onInvalid);
    const acting = all.filter(one => one.definition.schedule.mode !== 'observe' && isWanted(one));
    const tables = await readTables(session, [...new Set(acting.map(({ oid }) => oid))]);
    const sources = new Map<string, ReapedSource>();
    for (const definition of acting) {
      const table = tables.get(definition.oid);
      if (table === undefined) continue;
      const source = await this.#sourceOf(session, table, definition, now);
      if (source !== null) sources.set(source.key, source);
    }
    return sources;
  }

  async #sourceOf(
    session: Session,
    table: GovernedTable,
    definition: TableDefinition,
    now: ServerNow,
  ): Promise<ReapedSource | null> {
    const { onExpire, name } = definition.definition;
    const { holder } = this.#options;
    try {
      const deadlines = await deadlineSql(session, table, definition.definition.source);
      if (!(await passesBreaker(session, table, deadlines, definition, now.ms))) return null;
      const archive = onExpire.action === 'move' ? await readTable(session, onExpire.to) : null;
      const source = await definitionSource(session, {
        table,
        definition,
        archive,
        holder,
        protectedRows: this.#protected.of(sourceKey(definition), table, name),
      });
      // Keeps what it has learnt where nothing has changed.
      const known = this.#definitions.get(source.key);
      return known?.constructor === source.constructor ? known : source;
    } catch (error) {
      this.#options.onError(table, name, error);
      return null;
    }
  }

  async #explicit(session: Session, now: ServerNow): Promise<ReapedSource[]> {
    const found = await earliestExplicit(session, this.#protected.skippedExplicit);
    const due = found.filter(({ at }) => at <= now.ms + REREAD_MS);
    if (due.length === 0) return [];
    const tables = await readTables(
      session,
      due.map(({ oid }) => oid),
    );
    return due.flatMap(source => {
      const table = tables.get(source.oid);
      if (table === undefined) return [];
      const protectedRows = this.#protected.of(explicitKey(source), table, EXPLICIT);
      return [explicitSource(source, table, { holder: this.#options.holder, protectedRows })];
    });
  }
}
