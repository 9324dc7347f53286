import { t } from '@lingui/core/macro';
import { type PointerEvent, useRef } from 'react';

interface ResizeHandleProps {
  column: { id: string; title: string; width: number };
  tabIndex: 0 | -1;
  onResize: (width: number) => void;
}

/** The edge of a column, which is dragged; Shift with ← and → resizes too. */
export function ResizeHandle({ column, tabIndex, onResize }: ResizeHandleProps) {
  const start = useRef<{ x: number; width: number } | null>(null);

  function drag(event: PointerEvent): void {
    if (start.current !== null) onResize(start.current.width + event.clientX - start.current.x);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable splitter is not a horizontal rule
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={t`Width of ${column.title}`}
      aria-valuenow={column.width}
      aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
      title={t`Drag, or Shift with ← and →; Ctrl with Shift and the arrows moves the column`}
      tabIndex={tabIndex}
      data-head={`width-${column.id}`}
      className="resize-handle"
      onPointerDown={event => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width: column.width };
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        start.current = null;
      }}
    />
  );
}
