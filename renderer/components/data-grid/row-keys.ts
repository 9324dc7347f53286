type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>;

/** What keys do beside moving; each is absent where a table cannot do it. */
export interface RowKeys<Row> {
  open?: (row: Row) => void;
  toggle?: (row: Row) => void;
  /** From the row last chosen to this one. */
  extend?: (row: Row) => void;
  chooseAll?: () => void;
  remove?: () => void;
  leave?: () => void;
}

interface Situation<Row> {
  rows: readonly Row[];
  /** -1: none yet. */
  activeAt: number;
  inSight: number;
  keys: RowKeys<Row>;
}

const STEP: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, J: 1, ArrowUp: -1, k: -1, K: -1 };

/** The row to go to, `done` where a key did something else, null where it is not the table's. */
export function runRowKey<Row>(event: Pressed, situation: Situation<Row>): number | 'done' | null {
  const { rows, activeAt, inSight, keys } = situation;
  const { key } = event;
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) {
    if (key !== 'a' || keys.chooseAll === undefined) return null;
    keys.chooseAll();
    return 'done';
  }
  const lastAt = rows.length - 1;
  const step = STEP[key] ?? (key === 'PageDown' ? inSight : key === 'PageUp' ? -inSight : 0);
  if (step !== 0) {
    if (lastAt < 0) return 'done';
    const to = Math.max(0, Math.min(lastAt, activeAt + step));
    const row = rows[to];
    if (event.shiftKey && row !== undefined) keys.extend?.(row);
    return to;
  }
  if (key === 'Home') return lastAt < 0 ? 'done' : 0;
  if (key === 'End') return lastAt < 0 ? 'done' : lastAt;
  return runOnRow(key, rows[activeAt], keys) ? 'done' : null;
}

function runOnRow<Row>(key: string, row: Row | undefined, keys: RowKeys<Row>): boolean {
  const act = (done: (() => void) | undefined): boolean => {
    done?.();
    return done !== undefined;
  };
  switch (key) {
    case 'Enter':
      return row !== undefined && act(keys.open && (() => keys.open?.(row)));
    case ' ':
      return row !== undefined && act(keys.toggle && (() => keys.toggle?.(row)));
    case 'Delete':
      return act(keys.remove);
    case 'Escape':
      return act(keys.leave);
    default:
      return false;
  }
}
