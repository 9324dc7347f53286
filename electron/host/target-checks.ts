import {
  addressOf,
  type ConnectionTarget,
  type ConnectionTest,
  type ServerSecrets,
  type ServerTarget,
  type TargetWithSecrets,
} from '../../shared/contract/connections.ts';
import { SandglassError } from '../../shared/model/errors.ts';
import { type AllowedServers, isSameRoute } from '../engine/access/server-address.ts';
import type { Clock } from '../engine/platform/clock.ts';
import type { Logger } from '../engine/platform/logger.ts';
import type { HostConnection } from './connection.ts';
import type { ConnectionList } from './connection-list.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';
import { NO_SECRETS, refusedTarget, resolved } from './connection-target.ts';
import { probe } from './file-probe.ts';
import { probeServer } from './server-probe.ts';

interface TargetChecksOptions {
  connections: ConnectionList;
  secrets: ConnectionSecrets;
  clock: Clock;
  log: Logger;
}

/** Checks of targets before they are connected, with the secrets that a connection keeps. They change nothing. */
export class TargetChecks {
  readonly #options: TargetChecksOptions;

  constructor(options: TargetChecksOptions) {
    this.#options = options;
  }

  /** Tests a target as a new one, or as the other target of a connection. A refusal is a result, too. */
  async test(
    { target: given, connection: id }: { target: TargetWithSecrets; connection?: string | undefined },
    allowed: AllowedServers | null,
  ): Promise<ConnectionTest> {
    try {
      const { target, secrets } = resolved(given);
      const changed = id === undefined ? undefined : this.#options.connections.find(id);
      this.#options.connections.refuseListed(target, changed);
      const kept = changed === undefined ? {} : this.#keptSecrets(changed, target, allowed);
      return await this.probe(target, { ...kept, ...secrets }, allowed);
    } catch (error) {
      if (!(error instanceof SandglassError)) throw error;
      return { is: 'refused', code: error.code, message: error.message };
    }
  }

  /** Returns the result that opening the target would have; changes nothing. */
  async probe(
    target: ConnectionTarget,
    given: ServerSecrets,
    allowed: AllowedServers | null,
  ): Promise<ConnectionTest> {
    if (target.kind === 'file') return probe(target.file);
    const { clock, log, secrets } = this.#options;
    const all = { ...secrets.of('', target), ...given };
    return probeServer(target, all, { allowed, clock, log });
  }

  /**
   * Returns the other server of a connection, with the secrets that replace those it has. Throws INVALID_CONNECTION, or the
   * server's refusal if the connection is not closed.
   */
  async changedServer(
    connection: HostConnection,
    given: TargetWithSecrets,
    allowed: AllowedServers | null,
  ): Promise<{ target: ServerTarget; secrets: ServerSecrets }> {
    const { target, secrets } = resolved(given);
    if (target.kind === 'file' || target.kind !== connection.target.kind) {
      throw new SandglassError(
        'INVALID_CONNECTION',
        'A connection keeps the kind of its server. Add another connection instead.',
        { id: connection.id, field: 'uri' },
      );
    }
    this.#options.connections.refuseListed(target, connection);
    const kept = this.#keptSecrets(connection, target, allowed);
    if (connection.record.state.is !== 'closed') {
      const test = await this.probe(target, { ...kept, ...secrets }, allowed);
      if (test.is === 'refused') throw refusedTarget(test, addressOf(target));
    }
    return { target, secrets: { ...(kept === null ? NO_SECRETS : {}), ...secrets } };
  }

  /**
   * Returns the secrets that a connection keeps with another target; null: none. A caller from the network could send them
   * to another server.
   */
  #keptSecrets(
    { id, target: before }: HostConnection,
    target: ConnectionTarget,
    allowed: AllowedServers | null,
  ): ServerSecrets | null {
    if (before.kind === 'file' || target.kind === 'file') return null;
    if (allowed !== null && !isSameRoute(before, target)) return null;
    return this.#options.secrets.of(id, target);
  }
}
