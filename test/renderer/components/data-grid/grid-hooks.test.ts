// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { createRef } from 'react';
import { describe, expect, it } from 'vitest';
import { arrayRows, type GridRows } from '../../../../renderer/components/data-grid/grid-rows.ts';
import { useActiveRow } from '../../../../renderer/components/data-grid/use-active-row.ts';
import { useGridNavigation } from '../../../../renderer/components/data-grid/use-grid-navigation.ts';
import { useGridSelection } from '../../../../renderer/components/data-grid/use-grid-selection.ts';
import type { GridHandle } from '../../../../renderer/components/data-grid/use-virtual-grid.ts';

interface Row {
  id: string;
}

const rowsOf = (ids: string) =>
  arrayRows(
    [...ids].map(id => ({ id })),
    ({ id }: Row) => id,
  );

const NO_GRID = createRef<GridHandle>();

/** A list as the pages compose it: an active row, a selection and the keys that move both. */
function useList({ rows, scope = 'all' }: { rows: GridRows<Row>; scope?: unknown }) {
  const active = useActiveRow(rows);
  const selection = useGridSelection(rows, { scope, limit: 4 });
  const keys = useGridNavigation({
    rows,
    active,
    selection,
    grid: NO_GRID,
    onMoved: () => {},
  });
  return { active, selection, keys };
}

function list(ids: string) {
  const { result, rerender } = renderHook(useList, { initialProps: { rows: rowsOf(ids) } });
  return {
    do: (step: (now: ReturnType<typeof useList>) => void) => act(() => step(result.current)),
    show: (next: { rows: GridRows<Row>; scope?: unknown }) => rerender(next),
    selected: () => [...result.current.selection.selected.keys()].join(''),
    active: () => result.current.active.row?.id,
  };
}

describe('the active row', () => {
  it('moves by one with each key, stops at both ends, and goes to either end', () => {
    const { do: press, active } = list('abc');
    expect(active()).toBeUndefined();
    press(({ keys }) => keys.move(1, false));
    expect(active()).toBe('a');
    press(({ keys }) => keys.move(-1, false));
    expect(active()).toBe('a');
    press(({ keys }) => keys.toEnd('last'));
    press(({ keys }) => keys.move(1, false));
    expect(active()).toBe('c');
    press(({ keys }) => keys.toEnd('first'));
    expect(active()).toBe('a');
  });

  it('stays the same document when rows before it are removed; after its own removal the next row is active', () => {
    const { do: press, show, active } = list('abcd');
    press(({ active: row }) => row.activate(2));
    show({ rows: rowsOf('bcd') });
    expect(active()).toBe('c');
    show({ rows: rowsOf('abd') });
    expect(active()).toBe('d');
    show({ rows: rowsOf('') });
    expect(active()).toBeUndefined();
  });

  it('continues to the end while the count is an estimate', () => {
    const { do: press, show, active } = list('ab');
    show({ rows: { ...rowsOf('ab'), isCounted: false } });
    press(({ keys }) => keys.toEnd('last'));
    expect(active()).toBe('b');
    show({ rows: { ...rowsOf('abcd'), isCounted: false } });
    expect(active()).toBe('d');
    show({ rows: rowsOf('abcde') });
    expect(active()).toBe('e');
    show({ rows: rowsOf('abcdef') });
    expect(active()).toBe('e');
  });
});

describe('the selection', () => {
  it('extends from the row toggled last, also after that row moved', () => {
    const { do: press, show, selected } = list('abcdef');
    press(({ selection }) => selection.toggle(1));
    show({ rows: rowsOf('xabcdef') });
    press(({ selection }) => selection.extendTo(4));
    expect(selected()).toBe('bcd');
  });

  it('extends by keys from the active row, which is selected with it', () => {
    const { do: press, selected } = list('abcdef');
    press(({ active }) => active.activate(1));
    press(({ keys }) => keys.move(1, true));
    press(({ keys }) => keys.move(1, true));
    expect(selected()).toBe('bcd');
  });

  it('keeps rows that are not in memory any more, drops those removed, and ends with its scope', () => {
    const { do: press, show, selected } = list('abc');
    press(({ selection }) => selection.selectLoaded());
    show({ rows: rowsOf('xyz') });
    expect(selected()).toBe('abc');
    press(({ selection }) => selection.drop(['b']));
    expect(selected()).toBe('ac');
    show({ rows: rowsOf('xyz'), scope: 'another filter' });
    expect(selected()).toBe('');
    // The anchor is removed with the row: the range begins at the selected row.
    press(({ selection }) => selection.extendTo(1));
    expect(selected()).toBe('y');
  });

  it('stops at its limit', () => {
    const { do: press, selected } = list('abcdef');
    press(({ selection }) => selection.selectLoaded());
    expect(selected()).toBe('abcd');
  });
});
