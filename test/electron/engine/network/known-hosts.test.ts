import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { KnownHosts } from '../../../../electron/engine/network/known-hosts.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';

/** A key as it is sent: its type and some bytes, each after its length. */
function keyOf(type: string, content = randomBytes(32)): Buffer {
  return Buffer.concat([Buffer.from(type), content].flatMap(part => [length(part), part]));
}

function length({ byteLength }: Buffer): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(byteLength);
  return bytes;
}

const KEY = keyOf('ssh-ed25519');
const OTHER = keyOf('ssh-ed25519');
const RSA = keyOf('ssh-rsa');
const line = (names: string, key: Buffer, type = 'ssh-ed25519') =>
  `${names} ${type} ${key.toString('base64')} a comment\n`;
const hosts = (text: string) => new KnownHosts([{ file: '/home/ada/.ssh/known_hosts', text }]);

function refusal(text: string, host: string, port: number, key: Buffer): SandglassError | null {
  try {
    hosts(text).check(host, port, key);
    return null;
  } catch (error) {
    if (error instanceof SandglassError) return error;
    throw error;
  }
}

describe('known hosts', () => {
  test('has a key by name, by name and port, by pattern and hashed', () => {
    const salt = randomBytes(20);
    const hash = createHmac('sha1', salt).update('[bastion]:2222').digest('base64');
    const hashed = `|1|${salt.toString('base64')}|${hash}`;
    const known: [string, string, number][] = [
      ['bastion', 'Bastion', 22],
      ['jump,bastion,10.0.0.1', '10.0.0.1', 22],
      ['[bastion]:2222', 'bastion', 2222],
      ['*.example.org', 'a.example.org', 22],
      ['bastion?', 'bastion1', 22],
      [hashed, 'bastion', 2222],
    ];
    for (const [names, host, port] of known)
      expect(refusal(`# a comment\n\n${line(names, KEY)}`, host, port, KEY), names).toBeNull();
  });

  test('has no key of another port, of an excluded name, or of a certificate authority', () => {
    const unknown: [string, string, number][] = [
      ['bastion', 'bastion', 2222],
      ['[bastion]:2222', 'bastion', 22],
      ['*.example.org,!a.example.org', 'a.example.org', 22],
      ['@cert-authority bastion', 'bastion', 22],
      ['bastionXexample', 'bastion.example', 22],
    ];
    for (const [names, host, port] of unknown)
      expect(refusal(line(names, KEY), host, port, KEY)?.code, names).toBe('HOST_KEY_UNKNOWN');
  });

  test('names file, fingerprint and remedy for a key that is not known', () => {
    const refused = refusal('', 'bastion', 2222, KEY);
    expect(refused).toMatchObject({ code: 'HOST_KEY_UNKNOWN', data: { host: 'bastion:2222' } });
    expect(refused?.message).toMatch(
      /bastion:2222 is not in \/home\/ada\/\.ssh\/known_hosts: it is ssh-ed25519 SHA256:\S{43}\./,
    );
  });

  test('names both fingerprints and the line for a key that has changed', () => {
    const text = `${line('bastion', RSA, 'ssh-rsa')}${line('bastion', OTHER)}`;
    const refused = refusal(text, 'bastion', 22, KEY);
    expect(refused?.code).toBe('HOST_KEY_CHANGED');
    expect(refused?.message).toMatch(/has changed.* line 2 of .* ssh-ed25519 SHA256:/);
    // The server shows a type that is not known, although it is asked for the known one first.
    expect(refusal(line('bastion', RSA, 'ssh-rsa'), 'bastion', 22, KEY)?.code).toBe('HOST_KEY_CHANGED');
    expect(hosts(text).typesOf('bastion', 22)).toEqual(['ssh-rsa', 'ssh-ed25519']);
  });

  test('refuses a revoked key, also if another line has it', () => {
    const text = `${line('bastion', KEY)}@revoked ${line('*', KEY)}`;
    const refused = refusal(text, 'bastion', 22, KEY);
    expect(refused?.code).toBe('HOST_KEY_CHANGED');
    expect(refused?.message).toMatch(/line 2 of .* revokes/);
  });
});
