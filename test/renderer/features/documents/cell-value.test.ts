import { describe, expect, it } from 'vitest';
import {
  cellModeOf,
  cellText,
  formatType,
  isSameValue,
  readCell,
  withField,
} from '../../../../renderer/features/documents/table/cell-value.ts';

describe('the value of a cell', () => {
  it('stays text where it was text, and is JSON otherwise', () => {
    expect(cellModeOf('12', { isNumeric: false })).toBe('text');
    expect(cellModeOf(12, { isNumeric: true })).toBe('json');
    expect(cellModeOf(undefined, { isNumeric: false })).toBe('text');
    expect(cellModeOf(undefined, { isNumeric: true })).toBe('json');
    expect(readCell('12', 'text')).toEqual({ value: '12' });
    expect(readCell('12', 'json')).toEqual({ value: 12 });
  });

  it('is edited as it is read', () => {
    for (const value of [null, true, 1.5, 'a "b"', [1], { a: 1 }])
      expect(
        readCell(
          cellText(value, cellModeOf(value, { isNumeric: false })),
          cellModeOf(value, { isNumeric: false }),
        ),
      ).toEqual({ value });
    expect(cellText(undefined, 'json')).toBe('');
  });

  it('keeps integers beyond 2^53 [C1]', () => {
    expect(readCell('9007199254740993', 'json')).toEqual({ value: 9007199254740993n });
  });

  it.each(['', ' ', '1, 2', 'x', '1]', '{"a"', '01'])('refuses “%s” as JSON', text => {
    expect(readCell(text, 'json')).toHaveProperty('problem');
  });

  it('is named by its type', () => {
    expect([1, 1n, 'a', true, null, [], {}].map(formatType)).toEqual([
      'number',
      'number',
      'text',
      'true or false',
      'null',
      'list',
      'object',
    ]);
  });

  it('replaces one field and nothing else', () => {
    const document = { _id: 'a', meta: { ip: 'x', n: 1 }, m: 2 };
    expect(withField(document, ['meta', 'ip'], 'y')).toEqual({ _id: 'a', meta: { ip: 'y', n: 1 }, m: 2 });
    expect(withField(document, ['new', 'field'], 1)).toEqual({ ...document, new: { field: 1 } });
    expect(document.meta.ip).toBe('x');
  });

  it('is compared as JSON; a missing field is not null', () => {
    expect(isSameValue({ a: 1 }, { a: 1 })).toBe(true);
    expect(isSameValue(undefined, null)).toBe(false);
    expect(isSameValue(undefined, undefined)).toBe(true);
  });
});
