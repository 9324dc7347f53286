/**
 * The deadlines of a table's rows as SQL over the columns of the table, which are not qualified: a statement that contains it
 * reads this table alone.
 */
export interface RowDeadlines {
  /** Of type timestamptz; null: the row never expires. */
  readonly deadline: string;
  /** Of type text: the TTL index that gives the deadline, or `explicit`. */
  readonly from: string;
  /** Whether what is due waits for a person: all that gives deadlines is paused. */
  readonly isPaused: boolean;
}

/** Deadlines of a table without a TTL index. */
export const NO_DEADLINES: RowDeadlines = {
  deadline: 'NULL::timestamptz',
  from: 'NULL::text',
  isPaused: false,
};
