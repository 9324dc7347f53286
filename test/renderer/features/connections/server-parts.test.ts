import { describe, expect, it } from 'vitest';
import { isServerChanged, serverDraft } from '../../../../renderer/features/connections/EditServer.tsx';
import {
  DIRECT_ACCESS,
  EMPTY_CERTIFICATES,
  EMPTY_SSH,
  serverTarget,
  sshProblem,
} from '../../../../renderer/features/connections/server-access.ts';
import {
  partsOf,
  withoutPassword,
  withParts,
} from '../../../../renderer/features/connections/server-parts.ts';
import type { ServerTarget } from '../../../../shared/contract/connections.ts';

describe('the parts of an address', () => {
  it.each([
    ['redis://ada@cache:6380/2', { hosts: 'cache:6380', user: 'ada', database: '2', tls: 'off' }],
    ['rediss://cache', { hosts: 'cache', user: '', database: '', tls: 'on' }],
    ['etcd://a:2379,b:2379/?prefix=/app/', { hosts: 'a:2379,b:2379', database: '/app/', tls: 'off' }],
    ['postgresql://ada:pw@db/orders', { hosts: 'db', user: 'ada', database: 'orders', tls: 'prefer' }],
    ['postgres://db/a%20b?sslmode=verify-full', { database: 'a b', tls: 'verify-full' }],
    ['redis://', { hosts: '', user: '' }],
  ])('%j', (address, parts) => {
    expect(partsOf(address)).toMatchObject(parts);
  });

  it('are those of a server only', () => {
    expect(partsOf('/data/orders.sandglass')).toBeNull();
    expect(withParts('/data/orders.sandglass', { user: 'ada' })).toBe('/data/orders.sandglass');
  });

  it.each([
    ['redis://cache', { tls: 'on' }, 'rediss://cache'],
    ['rediss://ada:p%40w@cache/1', { tls: 'off', database: '3' }, 'redis://ada:p%40w@cache/3'],
    ['redis+sentinel://a,b/main', { tls: 'on' }, 'rediss+sentinel://a,b/main'],
    ['etcds://a', { database: '/app/', user: 'a@b' }, 'etcds://a%40b@a/?prefix=/app/'],
    ['etcd://a/?prefix=/app/', { database: '' }, 'etcd://a'],
    ['postgresql://db/orders', { tls: 'verify-full' }, 'postgresql://db/orders?sslmode=verify-full'],
    [
      'postgresql://db/orders?sslmode=require&application_name=x',
      { tls: 'prefer' },
      'postgresql://db/orders?application_name=x',
    ],
    ['postgresql://db', { database: 'a b' }, 'postgresql://db/a%20b'],
  ] as const)('of %j with %j are %j', (address, change, changed) => {
    expect(withParts(address, change)).toBe(changed);
  });

  it('are without the password, which is decoded', () => {
    expect(withoutPassword('redis://:p%40w@cache/1')).toEqual({
      address: 'redis://cache/1',
      password: 'p@w',
    });
    expect(withoutPassword('redis://ada:pw@cache')).toEqual({ address: 'redis://ada@cache', password: 'pw' });
    for (const address of ['redis://ada@cache', 'redis://ada:@cache', '/data/a:b@c.sandglass'])
      expect(withoutPassword(address)).toBeNull();
  });
});

describe('how a server is reached', () => {
  it('is left out of the target where nothing is typed', () => {
    expect(serverTarget('redis', ' redis://cache ', DIRECT_ACCESS)).toEqual({
      kind: 'redis',
      uri: 'redis://cache',
    });
    const empty = { ...DIRECT_ACCESS, certificates: EMPTY_CERTIFICATES };
    expect(serverTarget('redis', 'rediss://cache', empty)).toEqual({ kind: 'redis', uri: 'rediss://cache' });
  });

  it('has the SSH servers, their key and the certificates', () => {
    const ssh = {
      ...EMPTY_SSH,
      server: 'ada@bastion:2222',
      jump: 'ssh://bo@jump',
      key: '/k',
      passphrase: 'open',
    };
    const certificates = { ...EMPTY_CERTIFICATES, ca: '/ca.pem', passphrase: 'of tls' };
    const access = { secret: 'pw', ssh, certificates, references: {} };
    expect(serverTarget('redis', 'rediss://cache', access)).toEqual({
      kind: 'redis',
      uri: 'rediss://cache',
      secret: 'pw',
      ssh: {
        ...{ host: 'bastion', port: 2222, user: 'ada', key: '/k' },
        jump: { host: 'jump', port: 22, user: 'bo' },
      },
      passphrase: 'open',
      tls: { ca: '/ca.pem' },
      tlsPassphrase: 'of tls',
    });
  });

  it('of an existing connection is the same until something is typed', () => {
    const target: ServerTarget = {
      kind: 'redis',
      uri: 'rediss://ada@cache:6379/0',
      secretFrom: 'SANDGLASS_SECRET_CACHE',
      ssh: {
        ...{ host: 'bastion', port: 2222, user: 'ada', key: '/k', knownHosts: '/h' },
        jump: { host: '::1', port: 22, user: 'b o' },
      },
      passphraseFrom: 'file:ssh',
      tls: { ca: '/ca.pem', cert: '/c.pem', key: '/k.pem' },
      tlsPassphraseFrom: 'file:tls',
    };
    const draft = serverDraft(target);
    expect(serverTarget('redis', draft.address, draft.access)).toEqual(target);
    expect(isServerChanged(target, draft)).toBe(false);
    const typed = { ...draft, access: { ...draft.access, secret: 'new' } };
    expect(isServerChanged(target, typed)).toBe(true);
    const { secretFrom: _, ...others } = target;
    expect(serverTarget('redis', typed.address, typed.access)).toEqual({ ...others, secret: 'new' });
    const direct = serverTarget('redis', draft.address, { ...draft.access, ssh: null, certificates: null });
    expect(direct).toEqual({ kind: 'redis', uri: target.uri, secretFrom: target.secretFrom });
  });

  it('names what an SSH server looks like if it cannot be read', () => {
    expect(sshProblem(DIRECT_ACCESS)).toBeUndefined();
    for (const [server, jump] of [
      ['', ''],
      ['bastion', ''],
      ['ada@', ''],
      ['ada@a,b', ''],
      ['ada@bastion', 'jump'],
    ] as const)
      expect(sshProblem({ ...DIRECT_ACCESS, ssh: { ...EMPTY_SSH, server, jump } }), server).toContain(
        'ada@bastion',
      );
    expect(sshProblem({ ...DIRECT_ACCESS, ssh: { ...EMPTY_SSH, server: 'ada@bastion' } })).toBeUndefined();
  });
});
