import { useVirtualizer } from '@tanstack/react-virtual';
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { expireAfterOf } from '../../../../shared/model/ttl-index.ts';
import { slotsDrawn, standing } from '../../../components/data-grid/rendered-slots.ts';
import { keepFromSelectingText } from '../../../components/data-grid/row-clicks.ts';
import { useDrafts } from '../editor/drafts.ts';
import { neverReason } from '../expiration/format-never-reason.ts';
import { waitsFor } from '../expiration/format-wait.ts';
import type { DocumentPager } from '../list/document-pager.ts';
import type { DocumentsQuery } from '../list/documents-query.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';
import type { Chosen } from '../selection/selection.ts';
import type { Staged } from '../staging/staged-edits.ts';
import type { ArrangedColumns } from './column-preferences.ts';
import { DocumentRow, type RowEvents, rowId } from './DocumentRow.tsx';
import { keepsWrites } from './sorting.ts';
import { TableHead } from './TableHead.tsx';
import { HEAD_HEIGHT, ROW_HEIGHT, useStillness } from './use-scroll-anchor.ts';
import './document-rows.css';

export interface TableHandle {
  focus(): void;
  /** Whether it is the table itself that has the focus. */
  has(target: EventTarget | null): boolean;
  show(slot: number): void;
  rowsInSight(): number;
}

interface DocumentTableProps extends RowEvents {
  collection: string;
  pager: DocumentPager;
  snapshot: PagerSnapshot;
  columns: ArrangedColumns;
  query: DocumentsQuery;
  indexes: ReadonlyMap<string, TtlIndex> | null;
  chosen: Chosen;
  /** All that the list holds is chosen, read or not. */
  isAllChosen: boolean;
  staged: Staged;
  failures: ReadonlyMap<string, string>;
  activeSlot: number | null;
  onSort: (sort: DocumentsQuery['sort']) => void;
  onChooseAll: (all: boolean) => void;
  /** The pointer moves over the rows. */
  onReach: () => void;
  ref: Ref<TableHandle>;
}

const CHECK_WIDTH = 38;
const END_WIDTH = 12;
/** Of not rolling. */
const AT_REST_MS = 300;

/** The rows around what is looked at, in a table as long as all of them. */
export function DocumentTable(props: DocumentTableProps) {
  const drafts = useDrafts(props.collection);
  const { pager, snapshot, columns, chosen, staged, failures, activeSlot } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const fitting = useRef(0);
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: snapshot.slots,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    rangeExtractor: range => slotsDrawn(range, fitting.current),
    isScrollingResetDelay: AT_REST_MS,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
  });
  fitting.current = Math.floor((virtual.scrollRect?.height ?? 0) / ROW_HEIGHT);
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const begun = useRef(first);
  if (!virtual.isScrolling) begun.current = first;
  const slots = standing(
    items.map(({ index }) => index),
    begun.current,
  );

  useEffect(() => pager.look(first, last + 1), [pager, first, last]);
  useStillness(virtual, snapshot);
  useImperativeHandle(props.ref, () => ({
    has: target => target !== null && target === table.current,
    focus: () => table.current?.focus({ preventScroll: true }),
    show: slot => virtual.scrollToIndex(slot),
    rowsInSight: () => Math.floor(((scroller.current?.clientHeight ?? 0) - HEAD_HEIGHT) / ROW_HEIGHT),
  }));

  const chosenLoaded = chosen.size === 0 ? 0 : snapshot.loaded().filter(({ _id }) => chosen.has(_id)).length;
  const hasWriteOrder = props.indexes !== null && keepsWrites(props.indexes.values());
  const share = props.isAllChosen ? 'all' : shareOf(chosenLoaded, snapshot.loaded().length);
  const { query, onSort, onChooseAll } = props;
  // Rolling draws the table again with every row that comes: the head has no part in it.
  const head = useMemo(
    () => <TableHead {...{ columns, query, hasWriteOrder, onSort, onChooseAll }} chosen={share} />,
    [columns, query, hasWriteOrder, onSort, onChooseAll, share],
  );
  const width = columns.visible.reduce((sum, column) => sum + column.width, CHECK_WIDTH + END_WIDTH);
  const isActiveDrawn = activeSlot !== null && activeSlot >= first && activeSlot <= last;
  return (
    <div ref={scroller} className="grid">
      <div className="sheet" style={{ height: HEAD_HEIGHT + snapshot.slots * ROW_HEIGHT, minWidth: width }}>
        <table
          ref={table}
          className="tbl"
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows are chosen is a grid
          role="grid"
          tabIndex={0}
          aria-label={`Documents of ${props.collection}`}
          aria-rowcount={snapshot.isCounted ? snapshot.slots + 1 : -1}
          aria-multiselectable="true"
          aria-activedescendant={isActiveDrawn ? rowId(activeSlot) : undefined}
          style={{ gridTemplateColumns: tracksOf(columns) }}
          onMouseDown={keepFromSelectingText}
          onPointerMove={props.onReach}
          onPointerDown={props.onReach}
        >
          {head}
          <tbody>
            {slots.map(slot => {
              const row = snapshot.rowAt(slot);
              const index = row?.deadlineFrom == null ? undefined : props.indexes?.get(row.deadlineFrom);
              return (
                <DocumentRow
                  key={slot % slots.length}
                  row={row}
                  slot={slot}
                  columns={columns.visible}
                  isChosen={row !== undefined && (props.isAllChosen || chosen.has(row._id))}
                  isActive={slot === activeSlot}
                  expireAfter={index === undefined ? undefined : expireAfterOf(index.source)}
                  waits={row === undefined ? null : waitsFor(row)}
                  never={
                    row === undefined || props.indexes === null
                      ? null
                      : neverReason(row, props.indexes.values())
                  }
                  edit={row === undefined ? undefined : staged.get(row._id)}
                  failure={row === undefined ? undefined : failures.get(row._id)}
                  isUnsaved={row !== undefined && drafts.has(row._id)}
                  onPick={props.onPick}
                  onToggle={props.onToggle}
                  onOpen={props.onOpen}
                />
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function shareOf(chosen: number, loaded: number): 'none' | 'some' | 'all' {
  if (chosen === 0) return 'none';
  return chosen < loaded ? 'some' : 'all';
}

/** Of a row: the box, the columns as wide as they are chosen, and what is left. */
function tracksOf({ visible }: ArrangedColumns): string {
  return `${CHECK_WIDTH}px ${visible.map(({ width }) => `${width}px`).join(' ')} minmax(${END_WIDTH}px, 1fr)`;
}
