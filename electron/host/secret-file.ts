import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { replaceFile } from '../engine/files/replace-file.ts';
import type { SecretVault } from './connection-secrets.ts';

/** Cipher with a key that only this user's session can use. */
export interface SecretCipher {
  encrypt(text: string): Buffer;
  decrypt(bytes: Buffer): string;
}

const content = z.record(z.string(), z.base64());

/** Encrypted passwords by connection, in a file that only its owner reads (0600). */
export class SecretFile implements SecretVault {
  readonly #file: string;
  readonly #cipher: SecretCipher;

  constructor(file: string, cipher: SecretCipher) {
    this.#file = file;
    this.#cipher = cipher;
  }

  /**
   * Returns a password; undefined also if it cannot be decrypted, for example with the key of another user or machine:
   * the user has to enter it again.
   */
  read(id: string): string | undefined {
    const { [id]: kept } = this.#all();
    if (kept === undefined) return undefined;
    try {
      return this.#cipher.decrypt(Buffer.from(kept, 'base64'));
    } catch {
      return undefined;
    }
  }

  write(id: string, secret: string | undefined): void {
    const { [id]: _, ...others } = this.#all();
    const kept = secret === undefined ? {} : { [id]: this.#cipher.encrypt(secret).toString('base64') };
    replaceFile(this.#file, JSON.stringify({ ...others, ...kept }));
  }

  #all(): z.infer<typeof content> {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
      throw error;
    }
    try {
      return content.parse(JSON.parse(text));
    } catch {
      // The file is damaged: the user has to enter the passwords again.
      return {};
    }
  }
}
