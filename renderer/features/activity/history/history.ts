/** One page, newest row first. `next` is the cursor of the page after it. */
export interface HistoryPage<Row> {
  rows: readonly Row[];
  next: string | null;
}

/** Rows in memory, without a gap from the newest row to `next`. */
export interface History<Row> {
  /** Newest first. */
  rows: readonly Row[];
  /** Cursor of older rows; null: there are none. */
  next: string | null;
}

type NumberOf<Row> = (row: Row) => number;

const newest = <Row>(rows: readonly Row[], numberOf: NumberOf<Row>): number => {
  const [first] = rows;
  return first === undefined ? Number.NEGATIVE_INFINITY : numberOf(first);
};

/**
 * Replaces the newest rows by a newer read of them. If more rows were added since than one page holds, the older rows
 * would follow a gap and are dropped: a list never has a gap.
 */
export function withHead<Row>(
  known: History<Row>,
  head: HistoryPage<Row>,
  numberOf: NumberOf<Row>,
): History<Row> {
  const last = head.rows.at(-1);
  if (last === undefined || head.next === null) return head;
  const oldest = numberOf(last);
  if (newest(known.rows, numberOf) < oldest) return head;
  return {
    rows: [...head.rows, ...known.rows.filter(row => numberOf(row) < oldest)],
    next: oldestOf(known.rows, numberOf) < oldest ? known.next : head.next,
  };
}

function oldestOf<Row>(rows: readonly Row[], numberOf: NumberOf<Row>): number {
  const last = rows.at(-1);
  return last === undefined ? Number.POSITIVE_INFINITY : numberOf(last);
}

/** Updates known rows from the newest page and adds none, so that no row moves. */
export function withKnownOnly<Row>(
  known: History<Row>,
  head: HistoryPage<Row>,
  numberOf: NumberOf<Row>,
): History<Row> {
  const byNumber = new Map(head.rows.map(row => [numberOf(row), row]));
  return { ...known, rows: known.rows.map(row => byNumber.get(numberOf(row)) ?? row) };
}

/** Counts rows of the page that are newer than all known ones; `orMore`: the page holds only such rows. */
export function newerThan<Row>(
  known: History<Row>,
  head: HistoryPage<Row>,
  numberOf: NumberOf<Row>,
): { count: number; orMore: boolean } {
  const until = newest(known.rows, numberOf);
  const count = head.rows.filter(row => numberOf(row) > until).length;
  return { count, orMore: count > 0 && count === head.rows.length && head.next !== null };
}

export function withOlder<Row>(known: History<Row>, page: HistoryPage<Row>): History<Row> {
  return { rows: [...known.rows, ...page.rows], next: page.next };
}
