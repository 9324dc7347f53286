import type { Capabilities, RemoteStore } from '../../../../shared/contract/capabilities.ts';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import type { MeterRegistry } from '../../expiry/meters.ts';
import type { ServerNetwork } from '../../network/server-network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type {
  Commit,
  PartOptions,
  PartResult,
  RemoteBackend,
  SetExpirationOptions,
  SettingsStore,
} from '../backend.ts';
import { readExplicitInstant } from '../port/explicit-instant.ts';
import { Catalog, type CatalogChange } from './catalog/catalog.ts';
import { isUnreachable } from './connection/postgres-failure.ts';
import { type PostgresTarget, parsePostgresUri } from './connection/postgres-uri.ts';
import { SessionPool } from './connection/session-pool.ts';
import { countDueAfter, setExpirations } from './governance/expirations.ts';
import { GovernanceWatch } from './governance/governance-watch.ts';
import { PostgresGovernance } from './governance/postgres-governance.ts';
import { BATCH_MS } from './governed/reaper/batch-size.ts';
import { isGoverned, postgresCapabilities } from './postgres-capabilities.ts';
import { PostgresReads } from './postgres-reads.ts';
import { PostgresStatus } from './postgres-status.ts';
import { checkHasKey } from './rows/row-id.ts';
import { deleteRows, putRow } from './rows/row-writes.ts';
import { ServerWatch } from './server/server-watch.ts';

export interface PostgresOptions {
  readonly uri: string;
  /** Password, which outranks one in the URI. */
  readonly secret?: string | undefined;
  /** Absent: a direct one. */
  readonly network?: ServerNetwork | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meters: MeterRegistry;
  readonly readOnly: boolean;
  readonly onListenerError?: (error: unknown) => void;
}

/**
 * Opens a database. A server that cannot be reached is no failure: it is tried again. Throws INVALID_CONNECTION for an
 * address that cannot be read or a database that is not there, SECRET_REQUIRED, PERMISSION_DENIED.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresBackend> {
  const given = parsePostgresUri(options.uri);
  const target = { ...given, password: options.secret ?? given.password };
  const backend = new PostgresBackend(options, target);
  try {
    await backend.start();
  } catch (error) {
    if (!isUnreachable(error)) {
      await backend.close();
      throw error;
    }
  }
  return backend;
}

/** The tables of a PostgreSQL database as collections, and their rows as documents. */
export class PostgresBackend implements RemoteBackend {
  readonly mirror = null;
  readonly minutes = null;
  readonly leases = null;
  readonly reads: PostgresReads;
  readonly governance: PostgresGovernance;
  readonly settings: SettingsStore = {
    get: () => ({ ...DEFAULT_SETTINGS, batchMs: BATCH_MS, batchMsWhileCallsWait: BATCH_MS }),
    change: () => {
      throw notSupported(this.capabilities, 'settings');
    },
  };
  readonly #options: PostgresOptions;
  readonly #pool: SessionPool;
  readonly #catalog: Catalog;
  readonly #watch: ServerWatch;
  readonly #status: PostgresStatus;
  readonly #governed: GovernanceWatch;
  readonly #commitListeners = new Set<(commit: Commit) => void>();
  #revision = 0;

  constructor(options: PostgresOptions, target: PostgresTarget) {
    const { clock, log, meters, readOnly } = options;
    this.#options = options;
    this.#pool = new SessionPool(target, { readOnly, network: options.network, clock });
    this.#catalog = new Catalog(this.#pool);
    this.#watch = new ServerWatch({
      pool: this.#pool,
      catalog: this.#catalog,
      clock,
      log,
      onCatalog: change => this.#catalogChanged(change),
      onState: () => this.#status.changed(),
    });
    this.#status = new PostgresStatus(target, this.#watch, this.#catalog);
    this.#governed = new GovernanceWatch({
      pool: this.#pool,
      clock,
      log,
      meters,
      mayReap: () => !readOnly && isGoverned(this.#watch.facts),
      onRemoved: collections => this.#commit(collections),
      onChange: () => this.#status.changed(),
    });
    const parts = {
      pool: this.#pool,
      catalog: this.#catalog,
      watch: this.#governed,
      revision: () => this.#revision,
    };
    this.governance = new PostgresGovernance(parts);
    this.reads = new PostgresReads({
      pool: this.#pool,
      catalog: this.#catalog,
      revision: () => this.#revision,
      governed: () => this.#governed.snapshot,
    });
  }

  /** Reads the server and its tables. Rejects if that fails; it is tried again all the same, until `close`. */
  async start(): Promise<void> {
    this.#governed.start();
    await this.#watch.start();
  }

  /** They depend on the server, which may be found later than the connection is opened. */
  get capabilities(): Capabilities {
    return postgresCapabilities(this.#watch.facts);
  }

  get revision(): number {
    return this.#revision;
  }

  get remote(): RemoteStore {
    return this.#status.remote;
  }

  hasCollection(name: string): boolean {
    return this.#catalog.has(name);
  }

  collectionNames(): string[] {
    return this.#catalog.names;
  }

  async put(
    collection: string,
    id: string,
    document: JsonObject,
  ): Promise<{ created: boolean; expiredOnArrival: boolean }> {
    const entry = await this.#writable(collection);
    await this.#pool.write(session => putRow(session, entry, id, document));
    this.#touched(collection);
    return { created: false, expiredOnArrival: false };
  }

  async delete(collection: string, ids: readonly string[], options?: PartOptions): Promise<PartResult> {
    const entry = await this.#writable(collection);
    const result = await this.#pool.use(session => deleteRows(session, entry, ids, options?.isOver));
    this.#touched(collection);
    return { ...result, revision: this.#revision };
  }

  async setExpiration(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options: SetExpirationOptions = {},
  ): Promise<PartResult> {
    const entry = await this.#writable(collection);
    const at = readExplicitInstant(setting, options.from ?? this.#options.clock.now());
    const result = await this.#pool.use(session =>
      setExpirations(session, this.#governed.snapshot, entry, {
        ids,
        at,
        by: options.by ?? UNKNOWN,
        isOver: options.isOver,
      }),
    );
    this.#governed.reaper?.wake();
    this.#touched(collection);
    return { ...result, revision: this.#revision };
  }

  async dueAfterSetting(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    { by }: { by: number },
  ): Promise<{ due: number; done: number }> {
    const entry = await this.#writable(collection);
    const at = readExplicitInstant(setting, this.#options.clock.now());
    const due = await this.#pool.use(session =>
      countDueAfter(session, this.#governed.snapshot, entry, { ids, at, by }),
    );
    return { due, done: ids.length };
  }

  onRemoteChange(listener: () => void): () => void {
    return this.#status.onChange(listener);
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    this.#commitListeners.add(listener);
    return () => this.#commitListeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.#governed.stop();
    await this.#watch.stop();
    await this.#pool.close();
  }

  /** Throws READ_ONLY, COLLECTION_NOT_FOUND, NOT_SUPPORTED for a table without a primary key. */
  async #writable(collection: string) {
    if (this.#options.readOnly) throw new SandglassError('READ_ONLY', 'This connection is read-only.');
    const entry = await this.#catalog.table(collection);
    checkHasKey(entry);
    return entry;
  }

  #catalogChanged({ collections, written }: CatalogChange): void {
    const { meters, clock } = this.#options;
    for (const [collection, rows] of written) meters.written(collection, rows, clock.now());
    this.#commit(collections);
  }

  #touched(collection: string): void {
    this.#commit(new Set([collection]));
  }

  #commit(collections: ReadonlySet<string>): void {
    this.#revision++;
    const commit: Commit = {
      revision: this.#revision,
      at: this.#options.clock.now(),
      collections,
      changes: [],
    };
    for (const listener of this.#commitListeners) {
      try {
        listener(commit);
      } catch (error) {
        this.#options.onListenerError?.(error);
      }
    }
  }
}

/** Recorded with an expiration that nobody's call has set. */
const UNKNOWN = 'Sandglass';

function notSupported({ features }: Capabilities, feature: 'settings'): SandglassError {
  const { [feature]: support } = features;
  const reason = support.is === 'no' ? support.because : '';
  return new SandglassError('NOT_SUPPORTED', `This is not available on this connection. ${reason}`, {
    feature,
    reason,
  });
}
