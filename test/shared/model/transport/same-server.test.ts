import { describe, expect, it } from 'vitest';
import { canonicalAddress } from '../../../../shared/model/transport/same-server.ts';

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
