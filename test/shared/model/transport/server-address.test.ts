import { describe, expect, it } from 'vitest';
import {
  formatServerAddress,
  parseServerAddress,
  serverKindOf,
} from '../../../../shared/model/transport/server-address.ts';

const parts = { user: null, password: null, path: '', query: '' };
const at = (host: string, port: number | null = null) => ({ host, port });

describe('the address of a server', () => {
  it.each([
    ['redis://Cache', { ...parts, scheme: 'redis', hosts: [at('cache')] }],
    [
      ' etcd://ada:p%40ss@a:2379,b,[::1]:1/?prefix=/x/\n',
      {
        scheme: 'etcd',
        user: 'ada',
        password: 'p@ss',
        hosts: [at('a', 2379), at('b'), at('::1', 1)],
        path: '/',
        query: 'prefix=/x/',
      },
    ],
    [
      'redis+sentinel://:se%3Acret@s1:26379,s2:26379/main/3',
      {
        ...parts,
        scheme: 'redis+sentinel',
        password: 'se:cret',
        hosts: [at('s1', 26379), at('s2', 26379)],
        path: '/main/3',
      },
    ],
  ])('%s is read with every host', (text, address) => {
    expect(parseServerAddress(text)).toEqual(address);
  });

  it('is shown without its password, and can be read again', () => {
    const address = parseServerAddress('rediss+cluster://a%40b:hunter2@[::1]:1,c/?x=1');
    expect(formatServerAddress(address)).toBe('rediss+cluster://a%40b@[::1]:1,c/?x=1');
    expect(parseServerAddress(formatServerAddress(address))).toEqual({ ...address, password: null });
  });

  it.each([
    'cache:hunter2',
    'redis://',
    'redis://ada:hunter2@',
    'redis://ada:hunter2@a,,b',
    'redis://ada:hunter2@a:70000',
    'redis://ada:hunter2%zz@a',
    'redis://ada:hunter2@x@a',
    'redis://ada:hunter2@a b',
    'redis://ada:hunter2@127.0.0.1\\.evil',
    'redis://ada:hunter2@::1',
    'redis://ada:hunter2@a#b',
  ])('%s is refused without being repeated', text => {
    expect(() => parseServerAddress(text)).toThrow(expect.objectContaining({ code: 'INVALID_CONNECTION' }));
    expect(() => parseServerAddress(text)).not.toThrow(/hunter2/);
  });

  it('names the kind of server by its scheme', () => {
    const kinds = ['redis+sentinel://a/m', 'rediss+cluster://a', 'etcds://a', 'postgres://a', '/a/b'];
    expect(kinds.map(serverKindOf)).toEqual(['redis', 'redis', 'etcd', 'postgresql', null]);
  });
});
