import type { ServerTarget } from '../../shared/contract/connections.ts';
import { SandglassError } from '../../shared/model/errors.ts';

/** Keeps passwords beyond the end of the process, encrypted; where a machine has no such place, there is none. */
export interface SecretVault {
  read(id: string): string | undefined;
  /** Undefined removes it. */
  write(id: string, secret: string | undefined): void;
}

/**
 * Passwords of remote connections: in memory, and in a vault where the host has one. They are handed to the engine of their
 * connection alone, and never sent to a window, a list or a log.
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
   * Returns the password of a connection; undefined where none was given. Throws SECRET_REQUIRED where the variable that holds
   * it is not set.
   */
  of(id: string, { secretFrom }: ServerTarget): string | undefined {
    if (secretFrom === undefined) return this.#given.get(id) ?? this.#vault?.read(id);
    const { [secretFrom]: secret } = this.#environment;
    if (secret !== undefined) return secret;
    throw new SandglassError(
      'SECRET_REQUIRED',
      `The variable ${secretFrom} is not set where Sandglass runs. Set it and start Sandglass again.`,
      { secretFrom },
    );
  }

  set(id: string, secret: string | undefined): void {
    if (secret === undefined) this.#given.delete(id);
    else this.#given.set(id, secret);
    this.#vault?.write(id, secret);
  }
}
