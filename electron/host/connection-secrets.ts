import type { ServerTarget } from '../../shared/contract/connections.ts';
import { SandglassError } from '../../shared/model/errors.ts';

/** Stores encrypted passwords beyond the end of the process. Machines without such a store have no vault. */
export interface SecretVault {
  read(id: string): string | undefined;
  /** Undefined removes the password. */
  write(id: string, secret: string | undefined): void;
}

/**
 * Passwords of remote connections: in memory, and in a vault if the host has one. They are passed to the engine of
 * their connection only, never to a window, a list or a log.
 */
export class ConnectionSecrets {
  readonly #given = new Map<string, string>();
  readonly #vault: SecretVault | undefined;
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(vault: SecretVault | undefined, environment = process.env) {
    this.#vault = vault;
    this.#environment = environment;
  }

  /**
   * Returns the password of a connection; undefined if none was given. Throws SECRET_REQUIRED if the password's
   * environment variable is not set.
   */
  of(id: string, { secretFrom }: ServerTarget): string | undefined {
    if (secretFrom === undefined) return this.#given.get(id) ?? this.#vault?.read(id);
    const { [secretFrom]: secret } = this.#environment;
    if (secret !== undefined) return secret;
    throw new SandglassError(
      'SECRET_REQUIRED',
      `The environment variable ${secretFrom} is not set for Sandglass. Set it and start Sandglass again.`,
      { secretFrom },
    );
  }

  set(id: string, secret: string | undefined): void {
    if (secret === undefined) this.#given.delete(id);
    else this.#given.set(id, secret);
    this.#vault?.write(id, secret);
  }
}
