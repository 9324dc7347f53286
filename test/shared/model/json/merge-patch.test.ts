import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/model/json/json.ts';
import { applyMergePatch } from '../../../../shared/model/json/merge-patch.ts';

/** The rows of RFC 7396, appendix A, whose document and patch are objects: document, patch, result. */
const RFC: readonly [JsonObject, JsonObject, JsonObject][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

/** The algorithm of RFC 7396, section 2, as it is written there. */
function mergePatchOfTheRfc(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const result: JsonObject = isJsonObject(target) ? structuredClone(target) : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatchOfTheRfc(result[name] ?? null, value);
  }
  return result;
}

describe('applyMergePatch', () => {
  it.each(RFC)('[A2] of RFC 7396: %j patched with %j is %j', (document, patch, result) => {
    expect(applyMergePatch(document, patch)).toEqual(result);
  });

  it('[A2] returns the same as the algorithm of the RFC, and does not change its arguments', () => {
    const { object } = fc.letrec<{ object: JsonObject; value: JsonValue }>(tie => ({
      object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, 1, 'x', 9007199254740993n),
        fc.array(tie('value'), { maxLength: 2 }),
        tie('object'),
      ),
    }));
    fc.assert(
      fc.property(object, object, (document, patch) => {
        const before = structuredClone([document, patch]);
        expect(applyMergePatch(document, patch)).toEqual(mergePatchOfTheRfc(document, patch));
        expect([document, patch]).toEqual(before);
      }),
    );
  });

  it('[A2] treats a field named __proto__ like any other', () => {
    const patched = applyMergePatch({ a: 1 }, JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(Object.hasOwn(patched, '__proto__')).toBe(true);
    expect('polluted' in patched).toBe(false);
  });
});
