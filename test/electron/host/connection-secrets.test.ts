import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConnectionSecrets } from '../../../electron/host/connection-secrets.ts';
import { type SecretCipher, SecretFile } from '../../../electron/host/secret-file.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const SERVER = { kind: 'redis', uri: 'redis://ada@cache' } as const;

/** A cipher with a key of its own, as a keychain has one per user. */
function cipher(): SecretCipher {
  const key = randomBytes(32);
  return {
    encrypt(text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    decrypt(bytes) {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
}

describe('passwords of remote connections', () => {
  test('are kept in memory without a vault, and deleted with their connection', () => {
    const secrets = new ConnectionSecrets(undefined, {});
    expect(secrets.of('c-1', SERVER)).toBeUndefined();
    secrets.set('c-1', 'hunter2');
    expect(secrets.of('c-1', SERVER)).toBe('hunter2');
    expect(secrets.of('c-2', SERVER)).toBeUndefined();
    secrets.set('c-1', undefined);
    expect(secrets.of('c-1', SERVER)).toBeUndefined();
  });

  test('are read from the variable that the connection names, and from no other', () => {
    const secrets = new ConnectionSecrets(undefined, { SANDGLASS_SECRET_CACHE: 'hunter2' });
    expect(secrets.of('c-1', { ...SERVER, secretFrom: 'SANDGLASS_SECRET_CACHE' })).toBe('hunter2');
    expect(() => secrets.of('c-1', { ...SERVER, secretFrom: 'SANDGLASS_SECRET_OTHER' })).toThrow(
      'The environment variable SANDGLASS_SECRET_OTHER is not set',
    );
  });

  test('survive a restart in a vault, encrypted, readable by their owner only', () => {
    const file = join(temporaryFolder(), 'connection-secrets.json');
    const key = cipher();
    new ConnectionSecrets(new SecretFile(file, key), {}).set('c-1', 'hunter2');
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const reopened = new ConnectionSecrets(new SecretFile(file, key), {});
    expect(reopened.of('c-1', SERVER)).toBe('hunter2');
    reopened.set('c-1', undefined);
    expect(new SecretFile(file, key).read('c-1')).toBeUndefined();
  });

  test('are required again if the vault cannot be decrypted or is damaged', () => {
    const file = join(temporaryFolder(), 'connection-secrets.json');
    new SecretFile(file, cipher()).write('c-1', 'hunter2');
    expect(new SecretFile(file, cipher()).read('c-1')).toBeUndefined();
    writeFileSync(file, 'garbage');
    const damaged = new SecretFile(file, cipher());
    expect(damaged.read('c-1')).toBeUndefined();
    damaged.write('c-1', 'hunter3');
    expect(damaged.read('c-1')).toBe('hunter3');
  });
});
