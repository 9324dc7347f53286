import { describe, expect, it } from 'vitest';
import {
  parseRedisUri,
  publicRedisUri,
} from '../../../../../electron/engine/backends/redis/connection/redis-uri.ts';

const login = { tls: false, user: null, password: null, database: 0 };
const at = (host: string, port = 6379) => ({ is: 'server', host, port });

describe('a Redis URI', () => {
  it.each([
    ['redis://cache', { ...login, place: at('cache') }],
    ['redis://cache:6380/', { ...login, place: at('cache', 6380) }],
    ['  redis://cache/3\n', { ...login, place: at('cache'), database: 3 }],
    ['rediss://cache:6380/3', { ...login, tls: true, place: at('cache', 6380), database: 3 }],
    ['redis://[::1]:6400', { ...login, place: at('::1', 6400) }],
    ['redis://:hunter2@cache', { ...login, place: at('cache'), password: 'hunter2' }],
    [
      'redis://ada:p%40ss%2Fw%3Frd@cache/1',
      { ...login, place: at('cache'), user: 'ada', password: 'p@ss/w?rd', database: 1 },
    ],
    ['redis://a%3Ab:c%25d@cache', { ...login, place: at('cache'), user: 'a:b', password: 'c%d' }],
    [
      'redis+cluster://a:7000,b',
      {
        ...login,
        place: {
          is: 'cluster',
          nodes: [
            { host: 'a', port: 7000 },
            { host: 'b', port: 6379 },
          ],
        },
      },
    ],
    [
      'rediss+sentinel://:hunter2@a,b:5000/my%20master/2',
      {
        tls: true,
        user: null,
        password: 'hunter2',
        database: 2,
        place: {
          is: 'sentinel',
          sentinels: [
            { host: 'a', port: 26379 },
            { host: 'b', port: 5000 },
          ],
          master: 'my master',
        },
      },
    ],
  ])('%s', (uri, target) => {
    expect(parseRedisUri(uri)).toEqual(target);
  });

  it.each([
    ['cache:6379', /cannot be read/],
    ['http://cache', /begins with redis:\/\//],
    ['redis://', /cannot be read/],
    ['redis://cache:70000', /at most 65535/],
    ['redis://ada:sec%ret@cache', /write %25/],
    ['redis://ada:sec#ret@cache', /percent-encoded/],
    ['redis://ada:sec?ret@cache', /percent-encoded/],
    ['redis://ada:sec/ret@cache', /percent-encoded|cannot be read|number of a database/],
    ['redis://cache/sessions', /number of a database/],
    ['redis://cache/0?timeout=1', /after \?.*%3F/],
    ['redis://a,b', /redis\+cluster.*redis\+sentinel/],
    ['redis+sentinel://a,b', /name of their master/],
    ['redis+sentinel://a/main/x', /number of a database/],
    ['redis+cluster://a/1', /database 0 only/],
    ['redis+other://a', /begins with redis:\/\//],
  ])('%s is refused with the valid form, without a secret', (uri, message) => {
    const refused = expect.objectContaining({
      code: 'INVALID_CONNECTION',
      message: expect.stringMatching(message),
    });
    expect(() => parseRedisUri(uri)).toThrow(refused);
    expect(() => parseRedisUri(uri)).not.toThrow(/sec|ret@/);
    expect(() => parseRedisUri(uri)).toThrow(/redis:\/\/USER:PASSWORD@HOST:PORT\/DATABASE/);
  });

  it.each([
    ['rediss://a%40b:hunter2@[::1]:6400/2', 'rediss://a%40b@[::1]:6400/2'],
    ['redis+sentinel://:hunter2@a,b:1/my%20master', 'redis+sentinel://a:26379,b:1/my%20master/0'],
    ['rediss+cluster://ada:hunter2@a,b:1/', 'rediss+cluster://ada@a:6379,b:1'],
  ])('%s is shown without its password, and can be read again', (uri, shown) => {
    const target = parseRedisUri(uri);
    expect(publicRedisUri(target)).toBe(shown);
    expect(parseRedisUri(shown)).toEqual({ ...target, password: null });
  });
});
