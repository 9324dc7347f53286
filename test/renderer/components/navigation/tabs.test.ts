import { describe, expect, it } from 'vitest';
import {
  type Tabs,
  withMoved,
  withoutTab,
  withPlace,
  withTab,
} from '../../../../renderer/components/navigation/tabs.ts';

const tab = (id: number) => ({ id, href: `#/${id}`, title: `${id}` });
const three: Tabs = { list: [tab(1), tab(2), tab(3)], active: 2 };
const ids = ({ list }: Tabs) => list.map(({ id }) => id);

describe('tabs of the window', () => {
  it('are added after the active one, in the background', () => {
    const { tabs, added } = withTab(three, '#/new', 'new');
    expect(ids(tabs)).toEqual([1, 2, added, 3]);
    expect(tabs.active).toBe(2);
  });

  it('are closed: the right neighbour becomes active, or the left one; the last one stays', () => {
    expect(withoutTab(three, 2)).toMatchObject({ active: 3 });
    expect(withoutTab({ ...three, active: 3 }, 3)).toMatchObject({ active: 2 });
    expect(withoutTab(three, 1)).toMatchObject({ active: 2 });
    expect(ids(withoutTab({ list: [tab(1)], active: 1 }, 1))).toEqual([1]);
  });

  it('are moved past their neighbour, not past an end', () => {
    expect(ids(withMoved(three, 2, 1))).toEqual([1, 3, 2]);
    expect(ids(withMoved(three, 1, -1))).toEqual([1, 2, 3]);
  });

  it('keep their own place: an entry of the history returns to its tab', () => {
    const moved = withPlace(three, 1, '#/elsewhere');
    expect(moved.active).toBe(1);
    expect(moved.list.map(({ href }) => href)).toEqual(['#/elsewhere', '#/2', '#/3']);
    // Belongs to a closed tab: the active one goes there.
    expect(withPlace(three, 9, '#/elsewhere').list[1]).toMatchObject({ id: 2, href: '#/elsewhere' });
  });
});
