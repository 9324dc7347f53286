import { describe, expect, it } from 'vitest';
import { arrayRows } from '../../../../renderer/components/data-grid/grid-rows.ts';
import { rowsToScroll } from '../../../../renderer/components/data-grid/scroll-anchor.ts';

const rowsOf = (...ids: string[]) => arrayRows(ids, id => id);

describe('visible rows keep their place', () => {
  it('when rows above them are removed', () => {
    expect(rowsToScroll({ firstIndex: 3, keys: ['d', 'e'] }, rowsOf('b', 'd', 'e'))).toBe(-2);
  });
  it('when rows are added above them', () => {
    expect(rowsToScroll({ firstIndex: 1, keys: ['b', 'c'] }, rowsOf('x', 'y', 'a', 'b', 'c'))).toBe(2);
  });
  it('by the next row if the first one was removed, and only by rows in memory', () => {
    expect(rowsToScroll({ firstIndex: 3, keys: ['d', 'e'] }, rowsOf('a', 'b', 'e'))).toBe(-2);
    expect(rowsToScroll({ firstIndex: 3, keys: [null, 'e'] }, rowsOf('a', 'b', 'e'))).toBe(-2);
  });
  it('unless the first row of the list is visible', () => {
    expect(rowsToScroll({ firstIndex: 0, keys: ['a', 'b'] }, rowsOf('b', 'c'))).toBe(0);
  });
});
