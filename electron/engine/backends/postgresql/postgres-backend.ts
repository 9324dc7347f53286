import type { Capabilities, EngineFinding } from '../../../../shared/contract/capabilities.ts';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import type {
  DocumentImport,
  MinuteStore,
  PartOptions,
  PartResult,
  RemoteBackend,
  SetExpirationOptions,
  SettingsStore,
} from '../backend.ts';
import { readExplicitInstant } from '../port/explicit-instant.ts';
import type { CatalogChange } from './catalog/catalog.ts';
import { POSTGRES_CATALOG } from './catalog/table-entry.ts';
import { type PostgresTarget, parsePostgresUri } from './connection/postgres-uri.ts';
import { startOrRetry } from './connection/start-or-retry.ts';
import { countDueAfter, setExpirations } from './governance/expirations.ts';
import { GovernanceWatch } from './governance/governance-watch.ts';
import { governedDeadlines } from './governance/governed-deadlines.ts';
import { PostgresExpired } from './governance/postgres-expired.ts';
import { PostgresGovernance } from './governance/postgres-governance.ts';
import { withAllRemovals } from './governance/removed-figures.ts';
import { BATCH_MS } from './governed/reaper/batch-size.ts';
import { isGoverned, notSupported, postgresCapabilities } from './postgres-capabilities.ts';
import { postgresFindings } from './postgres-findings.ts';
import { PostgresImport } from './postgres-import.ts';
import type { PostgresOptions } from './postgres-options.ts';
import { PostgresReads } from './postgres-reads.ts';
import { checkHasKey } from './rows/row-id.ts';
import { deleteRows, putRow } from './rows/row-writes.ts';
import { readServerFacts, type ServerFacts } from './server/server-facts.ts';
import { TablesBackend } from './tables-backend.ts';

/**
 * Opens a database. A server that cannot be reached is no failure: it is tried again. Throws INVALID_CONNECTION for an
 * address that cannot be read or a database that is not there, SECRET_REQUIRED, PERMISSION_DENIED.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresBackend> {
  const given = parsePostgresUri(options.uri);
  const target = { ...given, password: options.secret ?? given.password };
  return startOrRetry(new PostgresBackend(options, target));
}

/** The tables of a PostgreSQL database as collections, and their rows as documents. */
export class PostgresBackend extends TablesBackend<ServerFacts> implements RemoteBackend {
  readonly minutes: MinuteStore | null;
  readonly reads: PostgresReads;
  readonly documentImport: DocumentImport;
  readonly governance: PostgresGovernance;
  readonly expired: PostgresExpired;
  readonly settings: SettingsStore = {
    // An index keeps copies only where its definition says so: they are rows of the same database.
    get: () => ({ ...DEFAULT_SETTINGS, retention: 0, batchMs: BATCH_MS, batchMsWhileCallsWait: BATCH_MS }),
    change: () => {
      throw notSupported(this.capabilities, 'settings');
    },
  };
  readonly #governed: GovernanceWatch;

  constructor(options: PostgresOptions, target: PostgresTarget) {
    super(options, target, { catalog: POSTGRES_CATALOG, readFacts: readServerFacts });
    const { clock, log, meters, readOnly } = options;
    this.#governed = new GovernanceWatch({
      pool: this.pool,
      clock,
      log,
      meters,
      mayReap: () => !readOnly && isGoverned(this.watch.facts),
      onRemoved: collections => this.commits.changed(collections),
      onChange: () => this.status.changed(),
    });
    const parts = {
      pool: this.pool,
      catalog: this.catalog,
      watch: this.#governed,
      revision: () => this.commits.revision,
    };
    this.governance = new PostgresGovernance(parts);
    const { minutes } = options;
    this.minutes =
      minutes === undefined
        ? null
        : {
            append: points => minutes.append(points),
            read: async query => withAllRemovals(parts, query, await minutes.read(query)),
          };
    this.expired = new PostgresExpired({
      ...parts,
      onRestored: collections => this.commits.changed(collections),
    });
    this.documentImport = new PostgresImport({
      pool: this.pool,
      clock,
      governed: () => this.#governed.snapshot,
      writable: collection => this.#writable(collection),
      written: collection => {
        this.#governed.reaper?.wake();
        this.#touched(collection);
      },
    });
    this.reads = new PostgresReads({
      pool: this.pool,
      catalog: this.catalog,
      expired: this.expired,
      revision: () => this.commits.revision,
      deadlines: governedDeadlines(() => this.#governed.snapshot),
    });
  }

  /** Reads the server and its tables. Rejects if that fails; it is tried again all the same, until `close`. */
  async start(): Promise<void> {
    const definitions = this.#governed.start();
    await this.watch.start();
    // Before, a call would be told that the database has no definitions.
    await definitions;
  }

  /** They depend on the server, which may be found later than the connection is opened. */
  get capabilities(): Capabilities {
    return postgresCapabilities(this.watch.facts);
  }

  protected findings(facts: ServerFacts): EngineFinding[] {
    return postgresFindings({
      facts,
      target: this.target,
      tables: this.catalog.all,
      protectedRows: this.#governed.reaper?.status.protectedRows ?? [],
    });
  }

  async put(
    collection: string,
    id: string,
    document: JsonObject,
  ): Promise<{ created: boolean; expiredOnArrival: boolean }> {
    const entry = await this.#writable(collection);
    await this.pool.write(session => putRow(session, entry, id, document));
    this.#touched(collection);
    return { created: false, expiredOnArrival: false };
  }

  async delete(collection: string, ids: readonly string[], options?: PartOptions): Promise<PartResult> {
    const entry = await this.#writable(collection);
    const result = await this.pool.use(session => deleteRows(session, entry, ids, options?.isOver));
    this.#touched(collection);
    return { ...result, revision: this.commits.revision };
  }

  async setExpiration(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options: SetExpirationOptions = {},
  ): Promise<PartResult> {
    const entry = await this.#writable(collection);
    const at = readExplicitInstant(setting, options.from ?? this.options.clock.now());
    const result = await this.pool.use(session =>
      setExpirations(session, this.#governed.snapshot, entry, {
        ids,
        at,
        by: options.by ?? UNKNOWN,
        isOver: options.isOver,
      }),
    );
    this.#governed.reaper?.wake();
    this.#touched(collection);
    return { ...result, revision: this.commits.revision };
  }

  async dueAfterSetting(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    { by }: { by: number },
  ): Promise<{ due: number; done: number }> {
    const entry = await this.#writable(collection);
    const at = readExplicitInstant(setting, this.options.clock.now());
    const due = await this.pool.use(session =>
      countDueAfter(session, this.#governed.snapshot, entry, { ids, at, by }),
    );
    return { due, done: ids.length };
  }

  protected async stop(): Promise<void> {
    await this.#governed.stop();
  }

  /** Throws READ_ONLY, COLLECTION_NOT_FOUND, NOT_SUPPORTED for a table without a primary key. */
  async #writable(collection: string) {
    if (this.options.readOnly) throw new SandglassError('READ_ONLY', 'This connection is read-only.');
    const entry = await this.catalog.table(collection);
    checkHasKey(entry);
    return entry;
  }

  protected override catalogChanged(change: CatalogChange): void {
    const { meters, clock } = this.options;
    for (const [collection, rows] of change.written) meters.written(collection, rows, clock.now());
    super.catalogChanged(change);
  }

  protected override stateChanged(): void {
    super.stateChanged();
    if (this.watch.facts?.product === 'CockroachDB') this.options.onOtherProduct?.();
  }

  #touched(collection: string): void {
    this.commits.changed(new Set([collection]));
  }
}

/** Recorded with an expiration that nobody's call has set. */
const UNKNOWN = 'Sandglass';
