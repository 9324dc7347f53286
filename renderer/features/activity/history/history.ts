/** A page of something that is read newest first; `next` is what the page behind it is asked for with. */
export interface HistoryPage<Row> {
  rows: readonly Row[];
  next: string | null;
}

/** What of a history is in memory: unbroken from its newest row to `next`. */
export interface History<Row> {
  /** Newest first. */
  rows: readonly Row[];
  /** Where it goes on; null: nothing is older. */
  next: string | null;
}

type NumberOf<Row> = (row: Row) => number;

const newest = <Row>(rows: readonly Row[], numberOf: NumberOf<Row>): number => {
  const [first] = rows;
  return first === undefined ? Number.NEGATIVE_INFINITY : numberOf(first);
};

/**
 * With the newest page read again: what it holds replaces what was known of it. Where more came since than a page
 * holds, what was known lies behind a gap and is let go of: a list never leaves rows out unsaid.
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

/** Only what is known already, as the newest page has it now: nothing moves. */
export function withKnownOnly<Row>(
  known: History<Row>,
  head: HistoryPage<Row>,
  numberOf: NumberOf<Row>,
): History<Row> {
  const anew = new Map(head.rows.map(row => [numberOf(row), row]));
  return { ...known, rows: known.rows.map(row => anew.get(numberOf(row)) ?? row) };
}

/** How many of a page are newer than all that is known, and whether there may be more behind them. */
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
