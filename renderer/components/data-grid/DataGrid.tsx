import type { CSSProperties, MouseEvent, PointerEvent, ReactNode } from 'react';
import './data-grid.css';
import { keepFromSelectingText } from './row-clicks.ts';
import type { VirtualGrid } from './use-virtual-grid.ts';

interface DataGridProps {
  grid: VirtualGrid;
  label: string;
  /** -1: not known. */
  rowCount: number;
  isMultiselect?: boolean;
  activeIndex: number | null;
  /** Id of the active row, or of its active cell. */
  activeId: (index: number) => string;
  minWidth?: number;
  style: CSSProperties;
  /** Called when the pointer moves over the rows, and when a button of it is pressed or released there. */
  onPointer?: ((isPressed: boolean) => void) | undefined;
  onContextMenu?: ((event: MouseEvent) => void) | undefined;
  /** `thead` and `tbody`. */
  children: ReactNode;
}

/**
 * A scrolled table with the height of all its rows; only rows in or near the visible part are rendered. One tab stop.
 */
export function DataGrid({
  grid,
  label,
  rowCount,
  isMultiselect,
  activeIndex,
  activeId,
  ...props
}: DataGridProps) {
  const { pressGuard } = grid;
  const onPointer = ({ buttons }: PointerEvent) => props.onPointer?.(buttons > 0);
  const isActiveRendered = activeIndex !== null && activeIndex >= grid.first && activeIndex <= grid.last;
  return (
    <div ref={grid.scroller} className="grid">
      <div className="sheet" style={{ height: grid.height, minWidth: props.minWidth }}>
        <table
          ref={grid.table}
          className="tbl"
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows are selected is a grid
          role="grid"
          tabIndex={0}
          aria-label={label}
          aria-rowcount={rowCount === -1 ? -1 : rowCount + 1}
          aria-multiselectable={isMultiselect}
          aria-activedescendant={isActiveRendered ? activeId(activeIndex) : undefined}
          style={props.style}
          onMouseDown={keepFromSelectingText}
          onPointerMove={event => {
            pressGuard.onPointerMove(event);
            onPointer(event);
          }}
          onPointerLeave={pressGuard.onPointerLeave}
          onContextMenu={props.onContextMenu}
          onPointerDown={event => {
            pressGuard.onPointerDown();
            onPointer(event);
          }}
          onPointerUp={onPointer}
          onClickCapture={pressGuard.onClickCapture}
        >
          {props.children}
        </table>
      </div>
    </div>
  );
}
