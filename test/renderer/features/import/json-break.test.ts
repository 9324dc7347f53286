import { describe, expect, it } from 'vitest';
import { badLineWords } from '../../../../renderer/features/import/bad-lines.ts';
import { jsonBreak } from '../../../../renderer/features/import/json-break.ts';

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

describe('where JSON breaks', () => {
  it.each(GOOD)('nowhere in %j', text => {
    expect(jsonBreak(text)).toBeNull();
  });

  it.each(BAD)('somewhere in %j, as the parser says', text => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonBreak(text)).not.toBeNull();
  });

  it.each(['[{"a', '[{"a":tr', '[1, -', '[{"a":"x\\', '[{"a":1}'])('%j is only cut short', text => {
    expect(jsonBreak(text)?.ended).toBe(true);
  });
});

it('bad lines are told by number, a few of many', () => {
  expect(badLineWords([{ line: 2, what: 'no JSON' }])).toBe('Line 2 is no JSON; it will be rejected.');
  const five = [1, 2, 3, 4, 5].map(line => ({ line, what: 'no JSON' }));
  expect(badLineWords(five)).toBe(
    'Line 1 is no JSON, line 2 is no JSON, line 3 is no JSON, 2 more of the beginning; they will be rejected.',
  );
});
