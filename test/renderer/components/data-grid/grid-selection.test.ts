import { describe, expect, it } from 'vitest';
import { arrayRows } from '../../../../renderer/components/data-grid/grid-rows.ts';
import {
  rowsBetween,
  type Selected,
  toggled,
  withoutKeys,
  withRows,
} from '../../../../renderer/components/data-grid/grid-selection.ts';

interface Row {
  id: string;
}

const NONE: Selected<Row> = new Map();
const keyOf = ({ id }: Row) => id;
const rowsOf = (...ids: string[]) => ids.map(id => ({ id }));
const keys = (selected: Selected<Row>) => [...selected.keys()];

describe('the selection of a grid', () => {
  it('toggles a row', () => {
    const [a] = rowsOf('a');
    if (a === undefined) throw new Error('no row');
    expect(keys(toggled(NONE, 'a', a))).toEqual(['a']);
    expect(keys(toggled(toggled(NONE, 'a', a), 'a', a))).toEqual([]);
  });
  it('extends from one row to another in either direction, over rows in memory', () => {
    const rows = arrayRows(rowsOf('a', 'b', 'c'), keyOf);
    expect(rowsBetween(2, 1, rows).map(keyOf)).toEqual(['b', 'c']);
    expect(rowsBetween(1, 5, rows).map(keyOf)).toEqual(['b', 'c']);
  });
  it('stops at its limit', () => {
    expect(keys(withRows(NONE, rowsOf('a', 'b', 'c'), keyOf, 2))).toEqual(['a', 'b']);
  });
  it('stays the same object if none of its rows is dropped', () => {
    const selected = withRows(NONE, rowsOf('a', 'b'), keyOf);
    expect(keys(withoutKeys(selected, ['a']))).toEqual(['b']);
    expect(withoutKeys(selected, ['x'])).toBe(selected);
  });
});
