import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkCertificates,
  checkServer,
  serverCheck,
  splitSecret,
} from '../../../../electron/engine/access/server-address.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';

describe('the address of a server', () => {
  test('is separated from its password', () => {
    expect(splitSecret(' redis://ada:p%40ss@cache:6379/2 ')).toEqual({
      uri: 'redis://ada@cache:6379/2',
      secret: 'p@ss',
    });
    expect(splitSecret('rediss://cache')).toEqual({ uri: 'rediss://cache', secret: undefined });
  });

  test('contains no part of any password', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6 }), secret => {
        const found = splitSecret(`redis://ada:${encodeURIComponent(secret)}@cache:6379/0`);
        expect(found).toEqual({ uri: 'redis://ada@cache:6379/0', secret });
      }),
    );
  });

  test('is refused without being repeated, since it may contain a password', () => {
    for (const address of [
      'cache:hunter2',
      'redis://',
      'redis://ada:hunter2@:99999',
      'redis://a:hunter2%zz@b',
    ]) {
      const refused = attempt(() => splitSecret(address));
      expect(refused.code).toBe('INVALID_CONNECTION');
      expect(JSON.stringify([refused.message, refused.data])).not.toContain('hunter2');
    }
  });
});

describe('[P1] servers that a caller may connect to', () => {
  const network = { user: 'ci', permission: 'configure', from: 'network' } as const;
  const machine = { user: 'ada', permission: 'configure', from: 'machine' } as const;

  test('are from the network this machine, and those that were allowed at the start', () => {
    for (const host of ['localhost', '127.0.0.1:6380', '127.8.9.1', '[::1]:6379'])
      expect(() => checkServer(network, { uri: `redis://${host}` }, [])).not.toThrow();
    expect(() => checkServer(network, { uri: 'redis://cache:6379' }, ['cache'])).not.toThrow();
    expect(() => checkServer(network, { uri: 'redis://cache:6379' }, ['cache:6379'])).not.toThrow();
  });

  test('are from the network no others, in any notation', () => {
    for (const host of [
      'cache',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '10.0.0.1',
      '[::2]',
      'cache:6380',
    ])
      expect(attempt(() => checkServer(network, { uri: `redis://${host}` }, ['cache:6379'])).code).toBe(
        'INVALID_CONNECTION',
      );
  });

  test('are from the network no address of which one host is refused', () => {
    const refused = attempt(() =>
      checkServer(network, { uri: 'etcd://cache:6379,10.0.0.1:2379' }, ['cache:6379']),
    );
    expect(refused.data).toMatchObject({ host: '10.0.0.1:2379' });
    expect(() => checkServer(network, { uri: 'etcd://cache:6379,[::1]:2379' }, ['cache:6379'])).not.toThrow();
  });

  test('are from the network no SSH servers that were not allowed, nor those that lead to them', () => {
    const [jump, ssh] = [
      { host: 'jump.example', port: 22, user: 'ada' },
      { host: 'bastion', port: 2222, user: 'ada' },
    ];
    const uri = 'redis://cache:6379';
    const refusedHost = (target: { ssh: typeof ssh & { jump?: typeof jump } }, allowed: string[]) =>
      attempt(() => checkServer(network, { uri, ...target }, ['cache', ...allowed])).data.host;
    expect(refusedHost({ ssh }, ['bastion:22'])).toBe('bastion:2222');
    expect(refusedHost({ ssh: { ...ssh, jump } }, ['bastion'])).toBe('jump.example:22');
    expect(() =>
      checkServer(network, { uri, ssh: { ...ssh, jump } }, ['cache', 'bastion', 'jump.example']),
    ).not.toThrow();
  });

  test('are behind an SSH server not those of this machine, which are its own there', () => {
    const ssh = { host: '127.0.0.1', port: 2222, user: 'ada' };
    const uri = 'redis://localhost:6379';
    expect(attempt(() => checkServer(network, { uri, ssh }, [])).data.host).toBe('localhost:6379');
    const further = { ...ssh, jump: ssh };
    expect(attempt(() => checkServer(network, { uri, ssh: further }, ['localhost'])).data.host).toBe(
      '127.0.0.1:2222',
    );
    expect(() => checkServer(network, { uri, ssh }, ['localhost:6379'])).not.toThrow();
  });

  test('receive a secret of the host only if they were allowed at the start', () => {
    const target = { uri: 'redis://127.0.0.1:6379', secretFrom: 'SANDGLASS_SECRET_CACHE' };
    expect(attempt(() => checkServer(network, target, [])).data.host).toBe('127.0.0.1:6379');
    expect(() => checkServer(network, target, ['127.0.0.1'])).not.toThrow();
  });

  test('are also those that other servers name', () => {
    const check = serverCheck({}, ['cache']);
    expect(() => check({ host: 'cache', port: 7000 })).not.toThrow();
    expect(() => check({ host: '127.0.0.1', port: 7000 })).not.toThrow();
    for (const host of ['10.0.0.1', '127.0.0.999', '127.evil.example', '::ffff:127.0.0.1', '0.0.0.0'])
      expect(attempt(() => check({ host, port: 6379 })).code, host).toBe('INVALID_CONNECTION');
  });

  test('are from this machine all', () => {
    expect(() => checkServer(machine, { uri: 'redis://10.0.0.1' }, [])).not.toThrow();
  });
});

describe('certificates of a connection', () => {
  const tls = { ca: '/etc/ca.pem' };

  test('need an address that requires TLS', () => {
    for (const uri of ['redis://a', 'etcd://a', 'postgresql://a/b', 'postgresql://a/b?sslmode=prefer'])
      expect(attempt(() => checkCertificates({ uri, tls })).code, uri).toBe('INVALID_CONNECTION');
    for (const uri of ['rediss://a', 'etcds://a', 'postgresql://a/b?sslmode=verify-full'])
      expect(() => checkCertificates({ uri, tls }), uri).not.toThrow();
    expect(() => checkCertificates({ uri: 'redis://a' })).not.toThrow();
  });
});

function attempt(act: () => unknown): SandglassError {
  try {
    act();
  } catch (error) {
    if (error instanceof SandglassError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
