import type { EngineFinding, RemoteStore } from '../../../../shared/contract/capabilities.ts';
import { type PostgresTarget, publicPostgresUri } from './connection/postgres-uri.ts';
import { serverName } from './server/server-facts.ts';
import type { ServerWatch } from './server/server-watch.ts';

type PolledServer = Pick<ServerWatch, 'facts' | 'roundTripMs' | 'unreachable'>;

/** The server as the contract shows it: name and distance, whether it can be reached, findings. */
export class PostgresStatus {
  readonly #target: PostgresTarget;
  readonly #watch: PolledServer;
  readonly #findings: () => EngineFinding[];
  readonly #listeners = new Set<() => void>();

  /** `findings` is called once the server was reached. */
  constructor(target: PostgresTarget, watch: PolledServer, findings: () => EngineFinding[]) {
    this.#target = target;
    this.#watch = watch;
    this.#findings = findings;
  }

  get remote(): RemoteStore {
    const { facts, roundTripMs, unreachable } = this.#watch;
    return {
      uri: publicPostgresUri(this.#target),
      server: facts === null ? 'PostgreSQL' : serverName(facts),
      roundTripMs,
      unreachable,
      mirror: null,
      findings: facts === null ? [] : this.#findings(),
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
