import { describe, expect, it } from 'vitest';
import {
  parseRedisUri,
  publicRedisUri,
} from '../../../../../electron/engine/backends/redis/connection/redis-uri.ts';

const plain = { host: 'cache', port: 6379, tls: false, user: null, password: null, database: 0 };

describe('a Redis URI', () => {
  it.each([
    ['redis://cache', plain],
    ['redis://cache:6380/', { ...plain, port: 6380 }],
    ['  redis://cache/3\n', { ...plain, database: 3 }],
    ['rediss://cache:6380/3', { ...plain, tls: true, port: 6380, database: 3 }],
    ['redis://[::1]:6400', { ...plain, host: '::1', port: 6400 }],
    ['redis://:hunter2@cache', { ...plain, password: 'hunter2' }],
    ['redis://ada:p%40ss%2Fw%3Frd@cache/1', { ...plain, user: 'ada', password: 'p@ss/w?rd', database: 1 }],
    ['redis://a%3Ab:c%25d@cache', { ...plain, user: 'a:b', password: 'c%d' }],
  ])('%s', (uri, target) => {
    expect(parseRedisUri(uri)).toEqual(target);
  });

  it.each([
    ['cache:6379', /no scheme|begins with redis:/],
    ['http://cache', /begins with redis:\/\//],
    ['redis://', /cannot be read|no host/],
    ['redis://cache:70000', /at most 65535/],
    ['redis://ada:sec%ret@cache', /write %25/],
    ['redis://ada:sec#ret@cache', /percent-encoded/],
    ['redis://ada:sec?ret@cache', /percent-encoded/],
    ['redis://ada:sec/ret@cache', /percent-encoded|number of a database/],
    ['redis://cache/sessions', /number of a database/],
    ['redis://cache/0?timeout=1', /after \? or #.*%3F or %23/],
  ])('%s is refused with the valid form, without a secret', (uri, message) => {
    const refused = expect.objectContaining({
      code: 'INVALID_CONNECTION',
      message: expect.stringMatching(message),
    });
    expect(() => parseRedisUri(uri)).toThrow(refused);
    expect(() => parseRedisUri(uri)).not.toThrow(/sec|ret@/);
    expect(() => parseRedisUri(uri)).toThrow(/redis:\/\/USER:PASSWORD@HOST:PORT\/DATABASE/);
  });

  it('is shown without its password, and can be read again', () => {
    const target = parseRedisUri('rediss://a%40b:hunter2@[::1]:6400/2');
    expect(publicRedisUri(target)).toBe('rediss://a%40b@[::1]:6400/2');
    expect(parseRedisUri(publicRedisUri(target))).toEqual({ ...target, password: null });
  });
});
