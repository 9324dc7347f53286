import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  collectionNaming,
  NO_PREFIX,
  recogniseSeparator,
} from '../../../../../electron/engine/backends/redis/keys/collection-naming.ts';
import { matchesGlob } from '../../../../../electron/engine/backends/redis/keys/glob.ts';
import { idOfKey, keyOfId } from '../../../../../electron/engine/deadline-mirror/key-id.ts';

const keys = (count: number, make: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => Buffer.from(make(i)));

describe('the id of a key', () => {
  it.each([
    [Buffer.from('session:ä'), 'session:ä'],
    [Buffer.from([0xff, 0x00, 0x61]), 'base64:/wBh'],
    [Buffer.from('base64:abc'), 'base64:YmFzZTY0OmFiYw=='],
    [Buffer.from('sha256:abc'), 'base64:c2hhMjU2OmFiYw=='],
    [Buffer.from('\uFEFFbyte order mark'), '\uFEFFbyte order mark'],
    [Buffer.from(''), ''],
  ])('%s is %s', (key, id) => {
    expect(idOfKey(key)).toBe(id);
    expect(keyOfId(id)).toEqual(key);
  });

  it('is decoded to the same bytes, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 512 }), bytes => {
        expect(keyOfId(idOfKey(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('of over 512 bytes is a hash, which cannot be decoded', () => {
    const id = idOfKey(Buffer.alloc(513, 'a'));
    expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(() => keyOfId(id)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
    expect(idOfKey(Buffer.alloc(512, 'a'))).toBe('a'.repeat(512));
  });
});

describe('the separator of a sample', () => {
  it.each([
    [':', keys(1_000, i => `session:${i}`)],
    [':', keys(1_000, i => `rate-limit:10.0.${i % 256}.${i}`)],
    ['/', keys(1_000, i => `cache/${i}`)],
    ['.', keys(1_000, i => `metrics.${i}`)],
    ['|', keys(1_000, i => `a|${i}`)],
    ['_', keys(1_000, i => `job_${i}`)],
    [null, keys(1_000, i => `${i}`)],
    [null, []],
    // A thousand keys with 10,000 prefixes repeat some.
    [':', keys(1_000, i => `tenant${((i * 7919) % 10_000) % 950}:${i}`)],
    // Values, not groups.
    [null, keys(1_000, i => `${i * 7919}:profile`)],
  ])('%s', (separator, sample) => {
    expect(recogniseSeparator(sample)).toBe(separator);
  });
});

describe('the collection of a key', () => {
  it.each([
    ['session:1', 'session'],
    ['user:1:profile', 'profiles'],
    ['user:1', 'user'],
    ['1', NO_PREFIX],
    [':1', NO_PREFIX],
  ])('of %s is %s', (key, name) => {
    const naming = collectionNaming({
      separator: ':',
      patterns: [{ name: 'profiles', pattern: 'user:*:profile' }],
    });
    expect(naming(Buffer.from(key))).toBe(name);
  });

  it('of a prefix that is not UTF-8 is its bytes as text', () => {
    const naming = collectionNaming({ separator: ':', patterns: [] });
    expect(naming(Buffer.from([0xff, 0x3a, 0x31]))).toBe('base64:/w==');
  });
});

it.each([
  ['user:*', 'user:1', true],
  ['user:*', 'users:1', false],
  ['*', '', true],
  ['h?llo', 'hello', true],
  ['h?llo', 'hllo', false],
  ['h[ae]llo', 'hallo', true],
  ['h[^e]llo', 'hello', false],
  ['h[a-c]llo', 'hbllo', true],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
  ['*a*b', 'xaxxb', true],
  ['*a*b', 'xaxxbc', false],
])('the pattern %s matches %s: %s', (pattern, key, matches) => {
  expect(matchesGlob(Buffer.from(pattern), Buffer.from(key))).toBe(matches);
});

it('a pattern of many stars takes no exponential time', () => {
  const startedAt = performance.now();
  expect(matchesGlob(Buffer.from(`${'*a'.repeat(100)}b`), Buffer.alloc(512, 'a'))).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(500);
});
