import { t } from '@lingui/core/macro';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useMemo, useRef, useState } from 'react';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import classes from './outline.module.css';
import { type OutlineRow, smallBranches, TYPE_LABEL, tableRows, treeRows } from './outline.ts';

interface OutlineProps {
  document: JsonObject;
  /** `table`: every value by its path. `tree`: branches that open. */
  form: 'table' | 'tree';
}

const ROW_HEIGHT = 22;
const INDENT = 14;
/** Most members of a branch that is open at first. */
const BEGINS_OPEN = 20;

/** A document as a tree or a table of its values. Only lines in sight are rendered, so its size does not matter. */
export function DocumentOutline({ document, form }: OutlineProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => smallBranches(document, BEGINS_OPEN));
  const [active, setActive] = useState(0);
  const rows = useMemo(
    () => (form === 'tree' ? treeRows(document, open) : tableRows(document)),
    [document, form, open],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const at = Math.min(active, rows.length - 1);

  function activate(index: number): void {
    const next = Math.max(0, Math.min(index, rows.length - 1));
    setActive(next);
    virtual.scrollToIndex(next);
  }
  function toggle(row: OutlineRow, isOpen = !row.isOpen): void {
    if (!isBranch(row)) return;
    const next = new Set(open);
    if (isOpen) next.add(row.key);
    else next.delete(row.key);
    setOpen(next);
  }
  function press(event: KeyboardEvent): void {
    const row = rows[at];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const parent = () => rows.findLastIndex((other, i) => i < at && other.depth < row.depth);
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => activate(at + 1),
      ArrowUp: () => activate(at - 1),
      Home: () => activate(0),
      End: () => activate(rows.length - 1),
      ArrowRight: () => (row.members === null || row.isOpen ? activate(at + 1) : toggle(row, true)),
      ArrowLeft: () => (row.isOpen ? toggle(row, false) : activate(parent())),
      Enter: () => toggle(row),
    };
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  function pick({ target }: MouseEvent): void {
    const line = target instanceof Element ? target.closest('[data-index]') : null;
    const index = Number(line?.getAttribute('data-index') ?? -1);
    const row = rows[index];
    if (row === undefined) return;
    setActive(index);
    toggle(row);
  }

  return (
    <div
      ref={scroller}
      className={classes.outline}
      role="tree"
      aria-label={form === 'tree' ? t`Document as a tree` : t`Document as a table`}
      aria-activedescendant={rows[at] === undefined ? undefined : `outline-${at}`}
      tabIndex={0}
      onKeyDown={press}
      onClick={pick}
    >
      <div className={classes.sheet} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const isActive = index === at;
          return (
            <div
              key={row.key}
              id={`outline-${index}`}
              data-index={index}
              role="treeitem"
              tabIndex={-1}
              aria-level={row.depth + 1}
              aria-expanded={form === 'tree' && isBranch(row) ? row.isOpen : undefined}
              aria-selected={isActive}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              className={isActive ? `${classes.line} ${classes.active}` : classes.line}
              style={{ top: start, height: ROW_HEIGHT }}
              title={isBranch(row) ? undefined : row.text}
            >
              <Line row={row} isTree={form === 'tree'} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

const isBranch = ({ members }: OutlineRow) => members !== null && members > 0;

function Line({ row, isTree }: { row: OutlineRow; isTree: boolean }) {
  return (
    <>
      <span className={classes.name} style={isTree ? { paddingLeft: row.depth * INDENT } : undefined}>
        {isTree && (
          <span className={classes.mark}>
            {isBranch(row) && <Icon name={row.isOpen ? 'down' : 'right'} size={12} />}
          </span>
        )}
        {row.name}
      </span>
      <span className={`${classes.value} ${classes[row.type] ?? ''}`}>{row.text}</span>
      <span className={classes.type}>{TYPE_LABEL[row.type]}</span>
    </>
  );
}
