import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutMember } from '../../../../shared/model/json/member.ts';

it.each([
  ['{"a":1.50,"x":{"deep":[1,{"x":2}]}}', '{"a":1.50}'],
  ['{"x":null}', '{}'],
  ['{ "x" : "}," , "a" : "\\"x\\":1" }', '{ "a" : "\\"x\\":1" }'],
  ['{"a":{"x":1},"b":["x",{"x":2}]}', '{"a":{"x":1},"b":["x",{"x":2}]}'],
  ['{"x":1,"a":12345678901234567890,"x":2}', '{"a":12345678901234567890}'],
  ['{"\\u0078":1,"a":2}', '{"a":2}'],
  ['{}', '{}'],
])('withoutMember removes x from %s and keeps every other character', (text, rest) => {
  expect(withoutMember(text, 'x').replaceAll(/\s/g, '')).toBe(rest.replaceAll(/\s/g, ''));
});

it('withoutMember equals the parser for any object', () => {
  const key = fc.oneof(fc.constantFrom('x', 'y', '"', '\\', '{', ','), fc.string());
  const object = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true });
  fc.assert(
    fc.property(
      object,
      fc.jsonValue(),
      fc.integer({ min: 0, max: 4 }),
      fc.boolean(),
      (given, x, indent, last) => {
        const { x: _, ...others } = given;
        const text = JSON.stringify(last ? { ...others, x } : { x, ...others }, null, indent);
        expect(JSON.parse(withoutMember(text, 'x'))).toEqual(JSON.parse(JSON.stringify(others)));
      },
    ),
  );
});
