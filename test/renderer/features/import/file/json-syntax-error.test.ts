import { describe, expect, it } from 'vitest';
import { formatBadLines } from '../../../../../renderer/features/import/file/bad-lines.ts';
import { jsonSyntaxError } from '../../../../../renderer/features/import/file/json-syntax-error.ts';

const GOOD = ['[]', '{}', ' [1, -2.5e3, true, null, "a\\n\\u00e9\\"", {"b": [{}]}] ', '"x"', '0'];
const BAD = [
  '',
  '[',
  '[1,]',
  '{"a":}',
  '{a:1}',
  '[01]',
  '[1 2]',
  '"\\x"',
  '[1]]',
  '{"a":1,}',
  'nul',
  '"a\nb"',
];

describe('the position of a JSON error', () => {
  it.each(GOOD)('is null for %j', text => {
    expect(jsonSyntaxError(text)).toBeNull();
  });

  it.each(BAD)('is reported for %j, which the parser rejects', text => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonSyntaxError(text)).not.toBeNull();
  });

  it.each(['[{"a', '[{"a":tr', '[1, -', '[{"a":"x\\', '[{"a":1}'])('%j is incomplete', text => {
    expect(jsonSyntaxError(text)?.ended).toBe(true);
  });
});

it('invalid lines are listed by number, the first few of many', () => {
  expect(formatBadLines([{ line: 2, what: 'not JSON' }])).toBe('Line 2 is not JSON; it will be rejected.');
  const five = [1, 2, 3, 4, 5].map(line => ({ line, what: 'not JSON' }));
  expect(formatBadLines(five)).toBe(
    'Line 1 is not JSON, line 2 is not JSON, line 3 is not JSON, 2 more in the sample; they will be rejected.',
  );
});
