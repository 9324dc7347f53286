import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { shownAgainAt } from './row-anchor.ts';
import { keepFromSelectingText } from './row-clicks.ts';
import { type RowKeys, runRowKey } from './row-keys.ts';

export interface HistoryColumn {
  id: string;
  title: ReactNode;
  /** Pixels; without it what is left. */
  width?: number;
  isNumeric?: boolean;
  isSorted?: boolean;
  /** What is given up where it is narrow: extra columns first, then spare ones. */
  give?: 'extra' | 'spare';
}

export interface RowPlace {
  id: string;
  /** 1-based among all rows, the head included. */
  rowIndex: number;
  isActive: boolean;
}

export interface HistoryTableHandle {
  focus: () => void;
  toTop: () => void;
}

interface HistoryTableProps<Row> {
  label: string;
  columns: readonly HistoryColumn[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  renderRow: (row: Row, place: RowPlace) => ReactNode;
  /** More rows than are in memory. */
  isWhole: boolean;
  isMultiselect?: boolean;
  activeKey: string | null;
  onActivate: (row: Row) => void;
  keys: RowKeys<Row>;
  onNearEnd: () => void;
  /** Whether the newest row is in sight. */
  onTop: (isAtTop: boolean) => void;
  /** A hand reaches for a row. */
  onReach?: () => void;
  ref: Ref<HistoryTableHandle>;
}

const ROW_HEIGHT = 28;
const HEAD_HEIGHT = 26;
const NEAR_END_ROWS = 40;

/** Rows of a history, newest first, in a table as long as all that is in memory. One tab stop; keys move a row. */
export function HistoryTable<Row>(props: HistoryTableProps<Row>) {
  const { rows, keyOf, columns, activeKey, onNearEnd, onTop } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const isNearEnd = last + NEAR_END_ROWS >= rows.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows bring the end nearer again
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, rows.length, onNearEnd]);
  useAnchor(scroller, rows, keyOf, onTop);
  useImperativeHandle(props.ref, () => ({
    focus: () => table.current?.focus({ preventScroll: true }),
    toTop: () => scroller.current?.scrollTo({ top: 0 }),
  }));

  const activeAt = activeKey === null ? -1 : rows.findIndex(row => keyOf(row) === activeKey);
  const rowId = (index: number) => `${props.label}-${index}`.replace(/\W+/g, '-');
  function onKeyDown(event: KeyboardEvent): void {
    const inSight = Math.floor(((scroller.current?.clientHeight ?? 0) - HEAD_HEIGHT) / ROW_HEIGHT);
    const moved = runRowKey(event, { rows, activeAt, inSight, keys: props.keys });
    if (moved === null) return;
    event.preventDefault();
    const row = typeof moved === 'number' ? rows[moved] : undefined;
    if (row === undefined || typeof moved !== 'number') return;
    props.onActivate(row);
    virtual.scrollToIndex(moved);
  }
  const isActiveDrawn = activeAt >= first && activeAt <= last;
  return (
    <div ref={scroller} className="grid" onPointerMove={props.onReach} onPointerDown={props.onReach}>
      <div className="sheet" style={{ height: HEAD_HEIGHT + rows.length * ROW_HEIGHT }}>
        <table
          ref={table}
          className="tbl"
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows are chosen is a grid
          role="grid"
          tabIndex={0}
          aria-label={props.label}
          aria-rowcount={props.isWhole ? rows.length + 1 : -1}
          aria-multiselectable={props.isMultiselect}
          aria-activedescendant={isActiveDrawn ? rowId(activeAt) : undefined}
          style={{ marginTop: first * ROW_HEIGHT }}
          onMouseDown={keepFromSelectingText}
          onKeyDown={onKeyDown}
        >
          <colgroup>
            {columns.map(({ id, width, give = '' }) => (
              <col key={id} className={`col-${id} ${give}`} style={{ width }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(({ id, title, isNumeric, isSorted, give }) => (
                <th
                  key={id}
                  scope="col"
                  className={[isNumeric && 'num', isSorted && 'sort', give].filter(Boolean).join(' ')}
                  aria-sort={isSorted ? 'descending' : undefined}
                >
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map(({ index }) => {
              const row = rows[index];
              if (row === undefined) return null;
              const place = { id: rowId(index), rowIndex: index + 2, isActive: index === activeAt };
              return props.renderRow(row, place);
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** What is in sight stays where it is when rows come above it, unless the newest one is in sight. */
function useAnchor<Row>(
  scroller: RefObjectOf<HTMLDivElement>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  onTop: (isAtTop: boolean) => void,
): void {
  const inSight = useRef<{ key: string; index: number } | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const seen = inSight.current;
    if (seen !== null && element.scrollTop > 0) {
      element.scrollTop += (shownAgainAt(seen, rows, keyOf) - seen.index) * ROW_HEIGHT;
    }
    const note = () => {
      const index = Math.floor(element.scrollTop / ROW_HEIGHT);
      const row = rows[index];
      inSight.current = row === undefined ? null : { key: keyOf(row), index };
      onTop(element.scrollTop < ROW_HEIGHT);
    };
    note();
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, [scroller, rows, keyOf, onTop]);
}

interface RefObjectOf<Element> {
  readonly current: Element | null;
}
