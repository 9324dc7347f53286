import type { HoldRecord, Pass, ReaperState } from '../../../../../shared/contract/reaper.ts';
import type {
  DroppedIndex,
  PolicyChange,
  Preview,
  TableReport,
  TtlIndex,
} from '../../../../../shared/contract/ttl-indexes.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Pause } from '../../../../../shared/model/ttl-index.ts';
import type {
  Governance,
  GovernanceSchema,
  GovernedDefinition,
  HistoryQuery,
  IndexBuild,
  IndexChangeOptions,
  PauseScope,
  PreviewQuery,
  ReportedIndex,
  SchemaControl,
} from '../../backend.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Session } from '../connection/session.ts';
import type { SessionPool } from '../connection/session-pool.ts';
import { checkedExpression } from '../governed/deadline/checked-expression.ts';
import { deadlineSql } from '../governed/deadline/deadline-sql.ts';
import { invalid, type RowDefinition, rowDefinition } from '../governed/definition.ts';
import {
  changeDefinition,
  createDefinition,
  dropDefinition,
  pauseDefinition,
  readDefinition,
} from '../governed/schema/definitions-table.ts';
import { readDropped, readHistory } from '../governed/schema/history-table.ts';
import { endHolds } from '../governed/schema/holds-table.ts';
import { readPasses } from '../governed/schema/passes-table.ts';
import { createSchema, readSchemaState } from '../governed/schema/sandglass-schema.ts';
import { DROP_SCHEMA_SQL, SCHEMA_SQL } from '../governed/schema/schema-sql.ts';
import { setDatabasePause } from '../governed/schema/state-table.ts';
import { type GovernedTable, readTable } from '../governed/table-facts.ts';
import { readCandidates } from './column-candidates.ts';
import type { GovernanceWatch } from './governance-watch.ts';
import { toTtlIndex } from './governed-index.ts';
import { prepareIndexBuild } from './index-build.ts';
import { toPasses } from './passes.ts';
import { previewDefinition } from './previewed-definition.ts';
import { reaperStateOf } from './reaper-state.ts';
import { runPass } from './run-pass.ts';
import { schemaMissing } from './schema-missing.ts';
import { readTableReport } from './table-report.ts';

interface Parts {
  readonly pool: SessionPool;
  readonly catalog: Catalog;
  readonly watch: GovernanceWatch;
  revision(): number;
}

/** TTL indexes of a PostgreSQL database: calls of the API over the parts in `governed`. */
export class PostgresGovernance implements Governance, SchemaControl {
  readonly schemaControl: SchemaControl = this;
  readonly statements = null;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async schema(): Promise<GovernanceSchema> {
    const schema = await this.#parts.pool.use(readSchemaState);
    return { schema, sql: SCHEMA_SQL, dropSql: DROP_SCHEMA_SQL };
  }

  async requireSchema(): Promise<void> {
    if ((await this.#parts.pool.use(readSchemaState)) === 'absent') throw schemaMissing();
  }

  async createSchema(): Promise<GovernanceSchema> {
    await this.#parts.pool.use(createSchema);
    await this.#parts.watch.refresh();
    return this.schema();
  }

  async report(collection: string, { index, source }: ReportedIndex): Promise<TableReport> {
    const proposed = source === undefined ? null : (await this.#proposed(collection, source)).source;
    return this.#read(collection, async (session, table) => {
      const definition = index === undefined ? null : await readDefinition(session, table, index);
      return readTableReport(session, table, { definition, proposed });
    });
  }

  async indexBuild(collection: string, { index, source }: ReportedIndex): Promise<IndexBuild> {
    const given = source ?? (await this.definition(collection, index ?? '')).source;
    const proposed = await this.#proposed(collection, given);
    return this.#read(collection, (session, table) =>
      prepareIndexBuild(session, this.#parts, table, proposed.source),
    );
  }

  /** Returns a definition with a source that fits the table. Throws INVALID_TTL_INDEX. */
  async #proposed(collection: string, source: GovernedDefinition['source']): Promise<RowDefinition> {
    return (await this.#checked(collection, { ...PREVIEWED, source })).definition;
  }

  async indexes(collection: string): Promise<TtlIndex[]> {
    const { catalog, watch } = this.#parts;
    const entry = await catalog.table(collection);
    const bytesARow = entry.rows === 0 ? 0 : entry.bytes / entry.rows;
    const found = watch.snapshot.indexes.get(collection) ?? [];
    return found.map(({ index, figures }) => toTtlIndex(index, figures, { now: watch.now, bytesARow }));
  }

  async preview(
    query: PreviewQuery & { estimate?: true | undefined },
    signal?: AbortSignal,
  ): Promise<Preview> {
    const { collection, name } = query;
    if (name !== undefined && !this.#parts.watch.snapshot.hasSchema) throw schemaMissing();
    const present = name === undefined ? null : await this.definition(collection, name);
    const source = query.source ?? present?.source;
    if (source === undefined) throw invalid('A preview needs the name of a TTL index, or a source.');
    const proposed = await this.#proposed(collection, source);
    const kept = present?.onExpire.action === 'delete' ? present.partitions : undefined;
    const definition = { ...proposed, partitions: query.partitions ?? kept ?? proposed.partitions };
    return previewDefinition(this.#parts, query, definition, signal);
  }

  async candidates(collection: string): ReturnType<Governance['candidates']> {
    const entry = await this.#parts.catalog.table(collection);
    const found = await this.#read(collection, readCandidates);
    return { ...found, documents: entry.rows, expressions: [] };
  }

  async definition(collection: string, index: string): Promise<GovernedDefinition> {
    return this.#read(
      collection,
      async (session, table) => (await readDefinition(session, table, index)).definition,
    );
  }

  async create(
    collection: string,
    given: GovernedDefinition,
    { by, isExpected }: IndexChangeOptions,
  ): Promise<void> {
    const { definition, table } = await this.#checked(collection, given);
    await this.#change(session =>
      createDefinition(session, table, definition, { by, isConfirmed: isExpected }),
    );
  }

  async change(
    collection: string,
    given: GovernedDefinition,
    { by, isRevert = false, isExpected }: IndexChangeOptions,
  ): Promise<void> {
    const { definition, table } = await this.#checked(collection, given);
    const change = isRevert ? 'revert' : 'change';
    await this.#change(session =>
      changeDefinition(session, table, definition, { by, change, isConfirmed: isExpected }),
    );
  }

  async drop(collection: string, index: string, by: string): Promise<void> {
    await this.#change(async session =>
      dropDefinition(session, await readTable(session, collection), index, by),
    );
  }

  async history(collection: string, index: string): Promise<PolicyChange[]> {
    if (!this.#parts.watch.snapshot.hasSchema) return [];
    return this.#read(collection, (session, table) => readHistory(session, table, index));
  }

  async dropped(collection: string): Promise<DroppedIndex[]> {
    if (!this.#parts.watch.snapshot.hasSchema) return [];
    return this.#read(collection, readDropped);
  }

  get reaperState(): ReaperState {
    return reaperStateOf(this.#parts.watch);
  }

  async setPause({ collection, index }: PauseScope, pause: Pause | null, by: string): Promise<void> {
    await this.#change(async session => {
      if (collection === undefined) return setDatabasePause(session, pause);
      const table = await readTable(session, collection);
      const all = this.#parts.watch.snapshot.indexes.get(collection) ?? [];
      const names = index === undefined ? all.map(one => one.index.definition.definition.name) : [index];
      for (const name of names) await pauseDefinition(session, table, name, { pause, by });
    });
  }

  async run({ collection, index }: PauseScope, by: string): Promise<{ removed: number; passes: Pass[] }> {
    const { catalog, watch } = this.#parts;
    if (!watch.snapshot.hasSchema) throw schemaMissing();
    const oid = collection === undefined ? null : (await catalog.table(collection)).oid;
    return runPass(this.#parts, { oid, name: index ?? null, by });
  }

  async confirm(holds: readonly HoldRecord[], _by: string): Promise<void> {
    await this.#change(session =>
      endHolds(
        session,
        holds.map(({ id }) => id),
      ),
    );
  }

  async passes({
    collection,
    limit,
    before,
  }: HistoryQuery & { before?: number | undefined }): Promise<{ passes: Pass[]; next: number | null }> {
    const { pool, catalog, watch } = this.#parts;
    if (!watch.snapshot.hasSchema) return { passes: [], next: null };
    const oid = collection === undefined ? null : (await catalog.table(collection)).oid;
    return pool.use(async session => {
      const found = await readPasses(session, { oid, before: before ?? null, limit });
      const passes = await toPasses(session, found);
      return { passes, next: found.length < limit ? null : (found.at(-1)?.id ?? null) };
    });
  }

  /** Returns a definition that fits the table, its expression as the server writes it. Throws INVALID_TTL_INDEX. */
  async #checked(
    collection: string,
    { partitions, parameters, ...given }: GovernedDefinition,
  ): Promise<{ definition: RowDefinition; table: GovernedTable }> {
    return this.#parts.pool.use(async session => {
      const table = await readTable(session, collection);
      if (table.key.length === 0)
        throw new SandglassError(
          'INVALID_TTL_INDEX',
          `${collection} has no primary key, which a TTL index needs to name its rows.`,
        );
      if (Object.keys(parameters ?? {}).length > 0)
        throw invalid('PostgreSQL has no parameters of TTL indexes.');
      const definition = rowDefinition(given, partitions);
      const { source } = definition;
      if (source.kind === 'expression')
        definition.source = {
          ...source,
          expression: await checkedExpression(session, table, source.expression),
        };
      await deadlineSql(session, table, definition.source);
      if (definition.onExpire.action === 'move') await readTable(session, definition.onExpire.to);
      return { definition, table };
    });
  }

  async #change(act: (session: Session) => Promise<void>): Promise<void> {
    const { pool, watch } = this.#parts;
    if (!watch.snapshot.hasSchema) throw schemaMissing();
    await pool.use(act);
    // The figures of a large table take longer to read than its first batches.
    watch.reaper?.wake();
    await watch.refresh();
  }

  async #read<Result>(
    collection: string,
    work: (session: Session, table: GovernedTable) => Promise<Result>,
  ): Promise<Result> {
    return this.#parts.pool.use(async session => work(session, await readTable(session, collection)));
  }
}

/** The parts of a definition that a preview does not depend on. */
const PREVIEWED: Omit<GovernedDefinition, 'source'> = {
  name: 'preview',
  onExpire: { action: 'delete' },
  schedule: { mode: 'exact' },
  limits: {},
  retention: null,
};
