import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  SECRET_NAMES,
  type SecretName,
  type SecretStorage,
  type ServerSecrets,
  type ServerTarget,
} from '../../shared/contract/connections.ts';
import { SandglassError } from '../../shared/model/errors.ts';

/** Stores encrypted secrets beyond the end of the process. Machines without such a store have no vault. */
export interface SecretVault {
  read(id: string): string | undefined;
  /** Undefined removes the secret. */
  write(id: string, secret: string | undefined): void;
}

/** Why a host has no vault. */
export type NoVault = Extract<SecretStorage, { is: 'memory' }>['because'];

/** Places of a host in which a connection may name a secret. */
export interface SecretPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder of files with secrets; undefined: none was given at the start. */
  readonly folder?: string | undefined;
}

/**
 * Passwords of remote connections and passphrases of their keys for SSH and TLS: in memory, and in a vault if the host has one. They
 * are passed to the engine of their connection only, never to a window, a list or a log.
 */
export class ConnectionSecrets {
  readonly #given = new Map<string, string>();
  readonly storage: SecretStorage;
  readonly #vault: SecretVault | undefined;
  readonly #places: SecretPlaces;

  constructor(vault: SecretVault | NoVault, places: SecretPlaces = { environment: process.env }) {
    this.storage = typeof vault === 'string' ? { is: 'memory', because: vault } : { is: 'keychain' };
    this.#vault = typeof vault === 'string' ? undefined : vault;
    this.#places = places;
  }

  /**
   * Returns the secrets of a connection that were given, or that it names. Throws SECRET_REQUIRED if a named variable or
   * file does not exist.
   */
  of(id: string, target: ServerTarget): ServerSecrets {
    return {
      secret: this.#find(id, 'secret', target.secretFrom),
      passphrase: this.#find(id, 'passphrase', target.passphraseFrom),
      tlsPassphrase: this.#find(id, 'tlsPassphrase', target.tlsPassphraseFrom),
    };
  }

  /** Keeps the secrets that are given, removes those that are empty, and leaves the others as they are. */
  set(id: string, secrets: ServerSecrets): void {
    for (const name of SECRET_NAMES) {
      const { [name]: secret } = secrets;
      if (secret !== undefined) this.#keep(keyOf(id, name), secret === '' ? undefined : secret);
    }
  }

  remove(id: string): void {
    for (const name of SECRET_NAMES) this.#keep(keyOf(id, name), undefined);
  }

  #keep(key: string, secret: string | undefined): void {
    if (secret === undefined) this.#given.delete(key);
    else this.#given.set(key, secret);
    this.#vault?.write(key, secret);
  }

  #find(id: string, name: SecretName, from: string | undefined): string | undefined {
    const key = keyOf(id, name);
    if (from === undefined) return this.#given.get(key) ?? this.#vault?.read(key);
    return from.startsWith('file:') ? this.#inFolder(from) : this.#inEnvironment(from);
  }

  #inEnvironment(secretFrom: string): string {
    const { [secretFrom]: secret } = this.#places.environment;
    if (secret !== undefined) return secret;
    throw new SandglassError(
      'SECRET_REQUIRED',
      `The environment variable ${secretFrom} is not set for Sandglass. Set it and start Sandglass again.`,
      { secretFrom },
    );
  }

  /** The end of the last line is not part of the secret, as in files that an orchestrator mounts. */
  #inFolder(secretFrom: string): string {
    const { folder } = this.#places;
    const name = secretFrom.slice('file:'.length);
    if (folder === undefined) {
      throw new SandglassError(
        'SECRET_REQUIRED',
        `Sandglass was started without a folder of secrets, in which it would read ${name}. Start it with --secrets-dir.`,
        { secretFrom },
      );
    }
    try {
      return readFileSync(join(folder, name), 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      throw new SandglassError(
        'SECRET_REQUIRED',
        `The secret ${name} cannot be read in the folder of secrets: ${error instanceof Error ? error.message : String(error)}.`,
        { secretFrom },
      );
    }
  }
}

function keyOf(id: string, name: SecretName): string {
  return name === 'secret' ? id : `${id} ${name}`;
}
