import type { Capabilities, EngineFinding } from '../../../../shared/contract/capabilities.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../../shared/contract/settings.ts';
import type { DocumentImport, RemoteBackend, SettingsStore } from '../backend.ts';
import { ttlDeadlines } from './cockroach/deadlines/ttl-deadlines.ts';
import { TtlWatch } from './cockroach/deadlines/ttl-watch.ts';
import { COCKROACH_CATALOG } from './cockroach/server/cockroach-catalog.ts';
import { type CockroachFacts, readCockroachFacts } from './cockroach/server/cockroach-facts.ts';
import { COCKROACH_CAPABILITIES } from './cockroach-capabilities.ts';
import { cockroachFindings } from './cockroach-findings.ts';
import { CockroachGovernance } from './cockroach-governance.ts';
import type { PostgresTarget } from './connection/postgres-uri.ts';
import { notSupported } from './postgres-capabilities.ts';
import type { PostgresOptions } from './postgres-options.ts';
import { PostgresReads, type RemovedRows } from './postgres-reads.ts';
import { TablesBackend } from './tables-backend.ts';

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
export class CockroachBackend extends TablesBackend<CockroachFacts> implements RemoteBackend {
  readonly capabilities: Capabilities = COCKROACH_CAPABILITIES;
  readonly minutes = null;
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
  readonly #ttls: TtlWatch;

  constructor(options: PostgresOptions, target: PostgresTarget) {
    super(options, target, { catalog: COCKROACH_CATALOG, readFacts: readCockroachFacts });
    const { clock, log, meters } = options;
    const { pool, catalog } = this;
    const revision = () => this.commits.revision;
    const facts = () => this.watch.facts;
    this.#ttls = new TtlWatch({
      pool,
      catalog,
      clock,
      log,
      facts,
      onChange: () => {
        this.commits.changed(new Set(this.#ttls.snapshot.tables.keys()));
        this.status.changed();
      },
    });
    const parts = { pool, catalog, revision };
    this.governance = new CockroachGovernance({
      ...parts,
      clock,
      meters,
      facts,
      watch: this.#ttls,
      isReachable: () => this.watch.unreachable === null,
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
      await this.watch.start();
      await this.#ttls.refresh();
    } finally {
      this.#ttls.start();
    }
  }

  protected findings(facts: CockroachFacts): EngineFinding[] {
    const { target, options } = this;
    return cockroachFindings({ facts, target, snapshot: this.#ttls.snapshot, now: options.clock.now() });
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

  protected async stop(): Promise<void> {
    await this.#ttls.stop();
  }
}
