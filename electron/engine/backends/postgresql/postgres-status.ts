import type { EngineFinding, RemoteStore } from '../../../../shared/contract/capabilities.ts';
import type { Catalog } from './catalog/catalog.ts';
import { type PostgresTarget, publicPostgresUri } from './connection/postgres-uri.ts';
import { postgresFindings } from './postgres-findings.ts';
import { serverName } from './server/server-facts.ts';
import type { ServerWatch } from './server/server-watch.ts';

/** The server as the contract shows it: name and distance, whether it can be reached, findings. */
export class PostgresStatus {
  readonly #target: PostgresTarget;
  readonly #watch: ServerWatch;
  readonly #catalog: Catalog;
  readonly #listeners = new Set<() => void>();

  constructor(target: PostgresTarget, watch: ServerWatch, catalog: Catalog) {
    this.#target = target;
    this.#watch = watch;
    this.#catalog = catalog;
  }

  get remote(): RemoteStore {
    const { facts, roundTripMs, unreachable } = this.#watch;
    return {
      uri: publicPostgresUri(this.#target),
      server: facts === null ? 'PostgreSQL' : serverName(facts),
      roundTripMs,
      unreachable,
      mirror: null,
      findings: this.#findings(),
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #findings(): EngineFinding[] {
    const { facts } = this.#watch;
    if (facts === null) return [];
    return postgresFindings({ facts, target: this.#target, tables: this.#catalog.all });
  }
}
