import { describe, expect, it } from 'vitest';
import {
  smallBranches,
  tableRows,
  treeRows,
} from '../../../../../renderer/features/documents/editor/outline.ts';

const document = {
  _id: 'a',
  meta: { ip: 'x', n: 9007199254740993n },
  items: [{ name: 'b' }, null],
  none: {},
};

describe('a document as a tree', () => {
  it('shows its fields, with the number of members of each branch', () => {
    expect(treeRows(document, new Set()).map(({ name, text }) => [name, text])).toEqual([
      ['_id', 'a'],
      ['meta', '2 fields'],
      ['items', '2 items'],
      ['none', '{}'],
    ]);
  });

  it('shows the members of open branches, one level deeper', () => {
    const rows = treeRows(document, new Set(['/items', '/items/0']));
    expect(rows.map(({ key, depth }) => [key, depth])).toEqual([
      ['/_id', 0],
      ['/meta', 0],
      ['/items', 0],
      ['/items/0', 1],
      ['/items/0/name', 2],
      ['/items/1', 1],
      ['/none', 0],
    ]);
  });

  it('distinguishes fields whose names contain slashes', () => {
    const rows = treeRows({ a: { b: 1 }, 'a/b': 2 }, new Set(['/a']));
    expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
  });

  it('begins with small branches open', () => {
    expect([...smallBranches({ few: [1], many: [1, 2, 3] }, 2)]).toEqual(['/few']);
  });
});

describe('a document as a table', () => {
  it('has a line for each value, by its path, with all digits [C1]', () => {
    expect(tableRows(document).map(({ name, text, type }) => [name, text, type])).toEqual([
      ['_id', 'a', 'text'],
      ['meta.ip', 'x', 'text'],
      ['meta.n', '9007199254740993', 'number'],
      ['items[0].name', 'b', 'text'],
      ['items[1]', 'null', 'null'],
      ['none', '{}', 'object'],
    ]);
  });
});
