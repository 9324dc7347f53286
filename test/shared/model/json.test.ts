import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasNonFinite, hasProtoKey, parseJson, stringifyJson } from '../../../shared/model/json.ts';

describe('JSON', () => {
  it('[C1] integers of any size survive reading and writing', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }), integer => {
        const text = `{"n":${integer},"list":[${integer}]}`;
        expect(stringifyJson(parseJson(text))).toBe(text);
      }),
    );
  });

  it('[C1] an integer that no other reader of JSON could hold is infinite, and so refused, and is not read for seconds', () => {
    const startedAt = performance.now();
    expect(hasNonFinite(parseJson(`{"n": ${'7'.repeat(8_000_000)}}`))).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(hasNonFinite(parseJson(`{"n": ${'7'.repeat(308)}}`))).toBe(false);
  });

  it('[C1] other values are as JSON.parse reads them', () => {
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
  ])('[C1] a key that could not be carried is found in %s: %s', (text, found) => {
    expect(hasProtoKey(text, JSON.parse(text))).toBe(found);
  });
});
