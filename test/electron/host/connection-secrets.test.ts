import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConnectionSecrets } from '../../../electron/host/connection-secrets.ts';
import { type SecretCipher, SecretFile } from '../../../electron/host/secret-file.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const NOWHERE = { environment: {} };
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
    const secrets = new ConnectionSecrets('served', NOWHERE);
    expect(secrets.of('c-1', SERVER).secret).toBeUndefined();
    secrets.set('c-1', { secret: 'hunter2' });
    expect(secrets.of('c-1', SERVER).secret).toBe('hunter2');
    expect(secrets.of('c-2', SERVER).secret).toBeUndefined();
    secrets.remove('c-1');
    expect(secrets.of('c-1', SERVER).secret).toBeUndefined();
  });

  test('are read from the variable that the connection names, and from no other', () => {
    const secrets = new ConnectionSecrets('served', { environment: { SANDGLASS_SECRET_CACHE: 'hunter2' } });
    expect(secrets.of('c-1', { ...SERVER, secretFrom: 'SANDGLASS_SECRET_CACHE' }).secret).toBe('hunter2');
    expect(() => secrets.of('c-1', { ...SERVER, secretFrom: 'SANDGLASS_SECRET_OTHER' })).toThrow(
      'The environment variable SANDGLASS_SECRET_OTHER is not set',
    );
  });

  test('are read from a file of the folder of secrets, if one was given', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'cache'), 'hunter2\n');
    const from = { ...SERVER, secretFrom: 'file:cache', passphraseFrom: 'file:cache' };
    const secrets = new ConnectionSecrets('served', { environment: {}, folder });
    expect(secrets.of('c-1', from)).toEqual({ secret: 'hunter2', passphrase: 'hunter2' });
    expect(() => secrets.of('c-1', { ...SERVER, secretFrom: 'file:other' })).toThrow(
      'The secret other cannot be read',
    );
    expect(() => new ConnectionSecrets('served', NOWHERE).of('c-1', from)).toThrow('--secrets-dir');
  });

  test('of a server and of an SSH key are kept apart', () => {
    const file = join(temporaryFolder(), 'connection-secrets.json');
    const key = cipher();
    const secrets = new ConnectionSecrets(new SecretFile(file, key), NOWHERE);
    secrets.set('c-1', { secret: 'hunter2' });
    secrets.set('c-1', { passphrase: 'of the key' });
    const reopened = new ConnectionSecrets(new SecretFile(file, key), NOWHERE);
    expect(reopened.of('c-1', SERVER)).toEqual({ secret: 'hunter2', passphrase: 'of the key' });
    reopened.remove('c-1');
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });

  test('survive a restart in a vault, encrypted, readable by their owner only', () => {
    const file = join(temporaryFolder(), 'connection-secrets.json');
    const key = cipher();
    new ConnectionSecrets(new SecretFile(file, key), NOWHERE).set('c-1', { secret: 'hunter2' });
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const reopened = new ConnectionSecrets(new SecretFile(file, key), NOWHERE);
    expect(reopened.of('c-1', SERVER).secret).toBe('hunter2');
    reopened.remove('c-1');
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
