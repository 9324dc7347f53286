import { describe, expect, it } from 'vitest';
import { canonicalServer } from '../../../../shared/model/transport/same-server.ts';

const canonicalAddress = (uri: string) => canonicalServer({ uri });

describe('the canonical address of a server', () => {
  it.each([
    ['redis://localhost', 'redis://127.0.0.1:6379/0'],
    ['REDIS://Cache.Internal/', 'redis://cache.internal:6379'],
    ['redis://default@h/00', 'redis://h/0'],
    ['rediss://h', 'rediss://h:6379/0'],
    ['redis+cluster://a,b', 'redis+cluster://b:6379,a:6379/'],
    ['redis+sentinel://a/main', 'redis+sentinel://a:26379/main/0'],
    ['redis://[::1]', 'redis://[0:0:0:0:0:0:0:1]:6379'],
    ['postgres://h', 'postgresql://postgres@h:5432/postgres?sslmode=require'],
    ['postgresql://ada@h', 'postgresql://ada@h/ada'],
    ['etcd://a,b', 'etcd://b:2379,a/'],
    ['etcd://h/?prefix=/app/', 'etcd://h:2379/?prefix=%2Fapp%2F'],
  ])('of %s is that of %s', (one, other) => {
    expect(canonicalAddress(one)).toBe(canonicalAddress(other));
  });

  it.each([
    ['redis://h', 'redis://h/1'],
    ['redis://h', 'rediss://h'],
    ['redis://h', 'redis+cluster://h'],
    ['redis://h', 'redis://ada@h'],
    ['redis://localhost', 'redis://[::1]'],
    ['redis://h:6380', 'redis://h'],
    ['redis+sentinel://a/main', 'redis+sentinel://a/other'],
    ['postgresql://h/a', 'postgresql://h/b'],
    ['etcd://h', 'etcds://h'],
    ['etcd://h', 'etcd://h/?prefix=a'],
    ['not an address', 'nor this one'],
  ])('of %s is not that of %s', (one, other) => {
    expect(canonicalAddress(one)).not.toBe(canonicalAddress(other));
  });
});

describe('the same address', () => {
  const uri = 'redis://localhost';
  const bastion = { host: 'Bastion.Internal', port: 22 };

  it('over one SSH server, whatever its spelling, is one server', () => {
    const spelled = { uri: 'redis://127.0.0.1:6379', ssh: { host: 'bastion.internal', port: 22 } };
    expect(canonicalServer({ uri, ssh: bastion })).toBe(canonicalServer(spelled));
  });

  it.each([
    ['none', undefined],
    ['another one', { host: 'other.internal', port: 22 }],
    ['one at another port', { ...bastion, port: 2222 }],
    ['one behind another jump host', { ...bastion, jump: { host: 'jump.internal', port: 22 } }],
  ])('over %s is another server than over an SSH server', (_, ssh) => {
    expect(canonicalServer({ uri, ssh })).not.toBe(canonicalServer({ uri, ssh: bastion }));
  });
});
