import { join } from 'node:path';
import { safeStorage } from 'electron';
import type { NoVault } from '../host/connection-secrets.ts';
import { type SecretCipher, SecretFile } from '../host/secret-file.ts';

/**
 * Returns the vault of passwords of remote connections, encrypted with a key that the system's keychain holds, or why there
 * is none. Linux without a keychain only obscures passwords (`basic_text`), which counts as none.
 */
export function secretVault(dataFolder: string): SecretFile | NoVault {
  if (!safeStorage.isEncryptionAvailable()) return 'no keychain';
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text')
    return 'plain text';
  const cipher: SecretCipher = {
    encrypt: text => safeStorage.encryptString(text),
    decrypt: bytes => safeStorage.decryptString(bytes),
  };
  return new SecretFile(join(dataFolder, 'connection-secrets.json'), cipher);
}
