import type { EngineFinding, RemoteStore } from '../../../../shared/contract/capabilities.ts';
import type { Commit } from '../backend.ts';
import { Catalog, type CatalogChange } from './catalog/catalog.ts';
import type { CatalogQueries } from './catalog/table-entry.ts';
import { CommitFeed } from './commit-feed.ts';
import type { PostgresTarget } from './connection/postgres-uri.ts';
import { type PooledSession, SessionPool } from './connection/session-pool.ts';
import type { PostgresOptions } from './postgres-options.ts';
import { PostgresStatus } from './postgres-status.ts';
import type { ServerFacts } from './server/server-facts.ts';
import { ServerWatch } from './server/server-watch.ts';

interface Product<Facts extends ServerFacts> {
  readonly catalog: CatalogQueries;
  readonly readFacts: (session: PooledSession) => Promise<Facts>;
}

/**
 * Base of backends for products that speak PostgreSQL's protocol: the tables of a database as collections, and the state of
 * its server.
 */
export abstract class TablesBackend<Facts extends ServerFacts> {
  readonly mirror = null;
  readonly leases = null;
  readonly undo = null;
  protected readonly options: PostgresOptions;
  protected readonly target: PostgresTarget;
  protected readonly pool: SessionPool;
  protected readonly catalog: Catalog;
  protected readonly watch: ServerWatch<Facts>;
  protected readonly status: PostgresStatus;
  protected readonly commits: CommitFeed;

  protected constructor(options: PostgresOptions, target: PostgresTarget, product: Product<Facts>) {
    const { clock, log, readOnly, network } = options;
    this.options = options;
    this.target = target;
    this.commits = new CommitFeed(clock, options.onListenerError);
    this.pool = new SessionPool(target, { readOnly, network, clock });
    this.catalog = new Catalog(this.pool, product.catalog);
    this.watch = new ServerWatch({
      pool: this.pool,
      catalog: this.catalog,
      clock,
      log,
      readFacts: product.readFacts,
      onCatalog: change => this.catalogChanged(change),
      onState: () => this.stateChanged(),
    });
    this.status = new PostgresStatus(target, this.watch, () => {
      const { facts } = this.watch;
      return facts === null ? [] : this.findings(facts);
    });
  }

  protected abstract findings(facts: Facts): EngineFinding[];

  /** The tables, or what was written to them, have changed. */
  protected catalogChanged({ collections }: CatalogChange): void {
    this.commits.changed(collections);
  }

  /** The server was lost or found again, or its facts have changed. */
  protected stateChanged(): void {
    this.status.changed();
  }

  get revision(): number {
    return this.commits.revision;
  }

  get remote(): RemoteStore {
    return this.status.remote;
  }

  hasCollection(name: string): boolean {
    return this.catalog.has(name);
  }

  collectionNames(): string[] {
    return this.catalog.names;
  }

  onRemoteChange(listener: () => void): () => void {
    return this.status.onChange(listener);
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    return this.commits.onCommit(listener);
  }

  /** Ends what a product does beside the reads of its server, before the connections are closed. */
  protected abstract stop(): Promise<void>;

  async close(): Promise<void> {
    await this.stop();
    await this.watch.stop();
    await this.pool.close();
    this.options.minutes?.close();
  }
}
