import { describe, expect, it } from 'vitest';
import { arrayRows } from '../../../../renderer/components/data-grid/grid-rows.ts';
import { rowsToScroll } from '../../../../renderer/components/data-grid/scroll-anchor.ts';

const rowsOf = (...ids: string[]) => arrayRows(ids, id => id);

describe('the rows in sight stay in place', () => {
  it('when rows leave above them', () => {
    expect(rowsToScroll({ firstIndex: 3, keys: ['d', 'e'] }, rowsOf('b', 'd', 'e'))).toBe(-2);
  });
  it('when rows come above them', () => {
    expect(rowsToScroll({ firstIndex: 1, keys: ['b', 'c'] }, rowsOf('x', 'y', 'a', 'b', 'c'))).toBe(2);
  });
  it('by the next row where the first one left, and by those that were read', () => {
    expect(rowsToScroll({ firstIndex: 3, keys: ['d', 'e'] }, rowsOf('a', 'b', 'e'))).toBe(-2);
    expect(rowsToScroll({ firstIndex: 3, keys: [null, 'e'] }, rowsOf('a', 'b', 'e'))).toBe(-2);
  });
  it('unless the first row of the list is in sight', () => {
    expect(rowsToScroll({ firstIndex: 0, keys: ['a', 'b'] }, rowsOf('b', 'c'))).toBe(0);
  });
});
