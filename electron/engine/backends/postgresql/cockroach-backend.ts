import type { Capabilities, RemoteStore } from '../../../../shared/contract/capabilities.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../../shared/contract/settings.ts';
import type { Commit, DocumentImport, RemoteBackend, SettingsStore } from '../backend.ts';
import { Catalog } from './catalog/catalog.ts';
import { ttlDeadlines } from './cockroach/deadlines/ttl-deadlines.ts';
import { TtlWatch } from './cockroach/deadlines/ttl-watch.ts';
import { COCKROACH_CATALOG } from './cockroach/server/cockroach-catalog.ts';
import { type CockroachFacts, readCockroachFacts } from './cockroach/server/cockroach-facts.ts';
import { COCKROACH_CAPABILITIES } from './cockroach-capabilities.ts';
import { cockroachFindings } from './cockroach-findings.ts';
import { CockroachGovernance } from './cockroach-governance.ts';
import { CommitFeed } from './commit-feed.ts';
import type { PostgresTarget } from './connection/postgres-uri.ts';
import { SessionPool } from './connection/session-pool.ts';
import { notSupported } from './postgres-capabilities.ts';
import type { PostgresOptions } from './postgres-options.ts';
import { PostgresReads, type RemovedRows } from './postgres-reads.ts';
import { PostgresStatus } from './postgres-status.ts';
import { ServerWatch } from './server/server-watch.ts';

function refuseImport(): never {
  throw notSupported(COCKROACH_CAPABILITIES, 'import');
}

/** The cluster's own defaults of `sql.ttl.default_delete_…`; it keeps no copies. */
const COCKROACH_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  retention: 0,
  removalsPerSecond: 100,
  batchSize: 100,
};

/** CockroachDB does not name the rows that it removes. */
const UNLISTED: RemovedRows = { list: async () => ({ expired: [], next: null }) };

/** The tables of a CockroachDB database as collections, with their row-level TTL as a TTL index each. */
export class CockroachBackend implements RemoteBackend {
  readonly capabilities: Capabilities = COCKROACH_CAPABILITIES;
  readonly mirror = null;
  readonly minutes = null;
  readonly leases = null;
  readonly undo = null;
  readonly expired = null;
  readonly documentImport: DocumentImport = { open: refuseImport, write: refuseImport };
  readonly reads: PostgresReads;
  readonly governance: CockroachGovernance;
  readonly settings: SettingsStore = {
    get: () => COCKROACH_SETTINGS,
    change: () => {
      throw notSupported(COCKROACH_CAPABILITIES, 'settings');
    },
  };
  readonly #pool: SessionPool;
  readonly #catalog: Catalog;
  readonly #watch: ServerWatch<CockroachFacts>;
  readonly #ttls: TtlWatch;
  readonly #status: PostgresStatus;
  readonly #commits: CommitFeed;
  readonly #options: PostgresOptions;

  constructor(options: PostgresOptions, target: PostgresTarget) {
    const { clock, log, meters, readOnly, network, onListenerError } = options;
    const pool = new SessionPool(target, { readOnly, network, clock });
    const catalog = new Catalog(pool, COCKROACH_CATALOG);
    const revision = () => this.#commits.revision;
    const facts = () => this.#watch.facts;
    this.#options = options;
    this.#pool = pool;
    this.#catalog = catalog;
    this.#commits = new CommitFeed(clock, onListenerError);
    this.#watch = new ServerWatch({
      pool,
      catalog,
      clock,
      log,
      readFacts: readCockroachFacts,
      onCatalog: ({ collections }) => this.#commits.changed(collections),
      onState: () => this.#status.changed(),
    });
    this.#ttls = new TtlWatch({
      pool,
      catalog,
      clock,
      log,
      facts,
      onChange: () => {
        this.#commits.changed(new Set(this.#ttls.snapshot.tables.keys()));
        this.#status.changed();
      },
    });
    this.#status = new PostgresStatus(target, this.#watch, () => {
      const found = facts();
      if (found === null) return [];
      return cockroachFindings({ facts: found, target, snapshot: this.#ttls.snapshot, now: clock.now() });
    });
    const parts = { pool, catalog, revision };
    this.governance = new CockroachGovernance({
      ...parts,
      clock,
      meters,
      facts,
      watch: this.#ttls,
      isReachable: () => this.#watch.unreachable === null,
    });
    this.reads = new PostgresReads({
      ...parts,
      deadlines: ttlDeadlines(() => this.#ttls.snapshot),
      expired: UNLISTED,
    });
  }

  /** Reads the server, its tables and their TTLs. Rejects if that fails; it is tried again all the same, until `close`. */
  async start(): Promise<void> {
    try {
      await this.#watch.start();
      await this.#ttls.refresh();
    } finally {
      this.#ttls.start();
    }
  }

  get revision(): number {
    return this.#commits.revision;
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

  put(): never {
    throw notSupported(COCKROACH_CAPABILITIES, 'edit');
  }

  delete(): never {
    throw notSupported(COCKROACH_CAPABILITIES, 'delete');
  }

  setExpiration(): never {
    throw notSupported(COCKROACH_CAPABILITIES, 'expiration');
  }

  dueAfterSetting(): never {
    throw notSupported(COCKROACH_CAPABILITIES, 'expiration');
  }

  onRemoteChange(listener: () => void): () => void {
    return this.#status.onChange(listener);
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    return this.#commits.onCommit(listener);
  }

  async close(): Promise<void> {
    await this.#ttls.stop();
    await this.#watch.stop();
    await this.#pool.close();
    this.#options.minutes?.close();
  }
}
