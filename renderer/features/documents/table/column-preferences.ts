import { useCallback, useMemo, useState } from 'react';
import { inConnection } from '../../../components/navigation/location.ts';
import { type Column, SHOWN_FIELDS } from './columns.ts';

/** Arrangement of a collection's columns, in local storage. */
interface ColumnPrefs {
  /** Columns shown or hidden by a person; others follow the default. */
  shown: Readonly<Record<string, boolean>>;
  widths: Readonly<Record<string, number>>;
}

const NONE: ColumnPrefs = { shown: {}, widths: {} };
const NARROWEST = 48;
const WIDEST = 800;

const keyOf = (collection: string) => `sandglass.columns.${inConnection(collection)}`;

function load(collection: string): ColumnPrefs {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(collection)) ?? '{}');
    return {
      shown: recordOf(stored, 'shown', (value): value is boolean => typeof value === 'boolean'),
      widths: recordOf(stored, 'widths', (value): value is number => typeof value === 'number'),
    };
  } catch {
    // Not written by this code: uses the defaults.
    return NONE;
  }
}

function recordOf<Value>(
  stored: unknown,
  field: string,
  is: (value: unknown) => value is Value,
): Record<string, Value> {
  if (typeof stored !== 'object' || stored === null) return {};
  const found: unknown = Object.entries(stored).find(([key]) => key === field)?.[1];
  if (typeof found !== 'object' || found === null) return {};
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, Value] => is(entry[1])));
}

export interface ArrangedColumns {
  all: readonly Column[];
  visible: readonly Column[];
  isShown(column: Column): boolean;
  show(column: Column, shown: boolean): void;
  resize(column: Column, width: number): void;
  reset(): void;
}

export function useColumns(collection: string, columns: readonly Column[]): ArrangedColumns {
  const [prefs, setPrefs] = useState({ collection, value: load(collection) });
  const current = prefs.collection === collection ? prefs.value : load(collection);

  const change = useCallback(
    (next: ColumnPrefs) => {
      localStorage.setItem(keyOf(collection), JSON.stringify(next));
      setPrefs({ collection, value: next });
    },
    [collection],
  );

  return useMemo(() => {
    const firstField = columns.findIndex(({ path }) => path !== null);
    const usual = columns.slice(0, firstField === -1 ? columns.length : firstField + SHOWN_FIELDS);
    const usualIds = new Set(usual.map(({ id }) => id));
    const isShown = ({ id }: Column) => id === '_id' || (current.shown[id] ?? usualIds.has(id));
    const sized = columns.map(column => ({ ...column, width: current.widths[column.id] ?? column.width }));
    return {
      all: columns,
      visible: sized.filter(isShown),
      isShown,
      show: (column, shown) => change({ ...current, shown: { ...current.shown, [column.id]: shown } }),
      resize: (column, width) =>
        change({
          ...current,
          widths: {
            ...current.widths,
            [column.id]: Math.round(Math.min(WIDEST, Math.max(NARROWEST, width))),
          },
        }),
      reset: () => change(NONE),
    };
  }, [columns, current, change]);
}
