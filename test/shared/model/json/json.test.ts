import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEEPEST_NESTING,
  hasNonFinite,
  hasProtoKey,
  isPlainJson,
  isTooDeep,
  parseJson,
  stringifyJson,
} from '../../../../shared/model/json/json.ts';

describe('JSON text', () => {
  it('[C1] keeps integers of any size when read and written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }), integer => {
        const text = `{"n":${integer},"list":[${integer}]}`;
        expect(stringifyJson(parseJson(text))).toBe(text);
      }),
    );
  });

  it('[C1] with an integer beyond the range of a double quickly gives infinity, which is refused', () => {
    const startedAt = performance.now();
    expect(hasNonFinite(parseJson(`{"n": ${'7'.repeat(8_000_000)}}`))).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(hasNonFinite(parseJson(`{"n": ${'7'.repeat(308)}}`))).toBe(false);
  });

  it('[C1] gives other values as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const text = JSON.stringify(value);
        expect(stringifyJson(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it.each([
    ['{"__proto__": 1}', true],
    ['{"a": [{"\\u005f_proto__": 1}]}', true],
    ['{"a": "__proto__"}', false],
    ['{"a": 1}', false],
  ])('[C1] contains the key __proto__ in %s: %s', (text, found) => {
    expect(hasProtoKey(text, JSON.parse(text))).toBe(found);
  });

  it('[C1] contains the key __proto__ with any escape of its letters', () => {
    const letter = (plain: string) => {
      const digits = plain.charCodeAt(0).toString(16).padStart(4, '0');
      return fc.constantFrom(plain, `\\u${digits}`, `\\u${digits.toUpperCase()}`);
    };
    fc.assert(
      fc.property(fc.tuple(...[...'__proto__'].map(letter)), letters => {
        const text = `{"a": {"${letters.join('')}": 1}}`;
        expect(hasProtoKey(text, JSON.parse(text)), text).toBe(true);
      }),
    );
  });

  it('[C1] of plain values is read unchanged and accepted', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
      withTypedArray: true,
      withUnicodeString: true,
    });
    const number = fc.oneof(fc.double(), fc.maxSafeInteger(), fc.constantFrom(-0, 2 ** 53, 1e300, 1e21));
    const letrec = fc.letrec(tie => ({
      value: fc.oneof({ maxDepth: 4 }, anything, number, fc.jsonValue(), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'toJSON')), tie('value'), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    }));
    let plain = 0;
    fc.assert(
      fc.property(letrec.value, value => {
        fc.pre(isPlainJson(value));
        plain += 1;
        const text = stringifyJson(value);
        expect(parseJson(text)).toStrictEqual(value);
        expect(hasNonFinite(value) || hasProtoKey(text, value) || isTooDeep(text)).toBe(false);
      }),
      { numRuns: 500, maxSkipsPerRun: 1_000 },
    );
    expect(plain).toBeGreaterThan(400);
  });

  it.each([
    ['a date', { at: new Date(0) }],
    ['an undefined value', { at: undefined }],
    ['a sparse array', { at: new Array(2) }],
    ['a bigint', { at: 1n }],
    ['an integer that is read as a bigint', { at: 2 ** 53 }],
    ['a negative zero', { at: -0 }],
    ['NaN', { at: Number.NaN }],
    ['an object with toJSON', { toJSON: () => 'other' }],
    ['a class', new (class Own {})()],
    ['a key __proto__', JSON.parse('{"at":{"__proto__":1}}')],
    ['more levels than a document may have', JSON.parse('['.repeat(501) + ']'.repeat(501))],
  ])('[C1] does not represent %s', (_what, value) => {
    expect(isPlainJson(value)).toBe(false);
  });

  it('[C1] gives plain documents, except for rounded numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const read: unknown = JSON.parse(JSON.stringify(value));
        const text = JSON.stringify(read);
        const rounds = /[0-9]{16}|e\+|"__proto__"/.test(text);
        expect(isPlainJson(read) || rounds).toBe(true);
      }),
    );
    const deepest = JSON.parse('['.repeat(DEEPEST_NESTING) + ']'.repeat(DEEPEST_NESTING));
    expect(isPlainJson(deepest)).toBe(true);
  });
});
