import { quoteName } from '../../connection/quoting.ts';
import type { Session } from '../../connection/session.ts';
import { invalid, type RowSource } from '../definition.ts';
import { intervalSql } from '../sql-text.ts';
import { type GovernedTable, leafSql } from '../table-facts.ts';
import { type InstantReading, readingOf } from './instant-reading.ts';

interface ReadValue {
  readonly type: string;
  /** One of them; the other one is null. */
  readonly column: string | null;
  readonly expression: string | null;
  /** Before the name of the column. */
  readonly row: 't.' | '';
  readonly reading: InstantReading;
  /** s. */
  readonly expireAfter: number;
}

/**
 * The deadlines of a table's rows as SQL. A statement that contains it reads the table, as `t`, and no other at its level,
 * since the columns in an expression are not qualified.
 */
export class DeadlineSql {
  /** What is compared and sorted by: the column, or the expression. */
  readonly value: string;
  /** Type of that value. */
  readonly type: string;
  /** The name of the column, or else the expression; the other one is null. */
  readonly column: string | null;
  readonly expression: string | null;
  readonly #value: ReadValue;
  readonly #duration: string | null;

  constructor(value: ReadValue) {
    const { type, column, expression, row, expireAfter } = value;
    this.value = column === null ? `(${expression})` : `${row}${quoteName(column)}`;
    this.type = type;
    this.column = column;
    this.expression = expression;
    this.#value = value;
    this.#duration = expireAfter === 0 ? null : intervalSql(expireAfter);
  }

  /** The same without a name of the row, for policies. */
  get unqualified(): DeadlineSql {
    return new DeadlineSql({ ...this.#value, row: '' });
  }

  /**
   * The same for statements that are run while rows are removed. A constant bound below all deadlines makes the planner look up
   * the lowest value in the index, past the entries of all deleted rows, each time; it does not know the value of a subquery.
   */
  get unestimated(): DeadlineSql {
    const { reading } = this.#value;
    return new DeadlineSql({ ...this.#value, reading: { ...reading, lowest: `(SELECT ${reading.lowest})` } });
  }

  get #reading(): InstantReading {
    return this.#value.reading;
  }

  /** The value as an index on it is defined. */
  get indexed(): string {
    return this.column === null ? `(${this.expression})` : quoteName(this.column);
  }

  /** The deadline as timestamptz; null: never [D5]. */
  get deadline(): string {
    return this.deadlineOf(this.value);
  }

  /** The deadline of a value of this type. */
  deadlineOf(value: string): string {
    const { lowest, beyond } = this.#reading;
    return `CASE WHEN ${value} >= ${lowest} AND ${value} < ${beyond} THEN ${this.#plus(this.#reading.instantOf(value))} END`;
  }

  /** The condition that the deadline is at or before an instant, in SQL of type timestamptz [D10]. */
  dueBy(instant: string): string {
    const { lowest, valueAt, isExact } = this.#reading;
    const bounded = `${this.value} >= ${lowest} AND ${this.value} <= ${valueAt(this.#minus(instant))}`;
    return isExact ? `(${bounded})` : `(${bounded} AND ${this.deadline} <= ${instant})`;
  }

  /** A condition that every row with a deadline at or after an instant meets, to begin the scan of an index there. */
  notBefore(instant: string): string {
    const { valueAt, isExact } = this.#reading;
    // In a zone that repeats an hour, an earlier time of day may be a later instant.
    const from = isExact ? instant : `(${instant} - interval '3 hours')`;
    return `${this.value} >= ${valueAt(this.#minus(from))}`;
  }

  /** The condition that the value is an instant at all. */
  get isInstant(): string {
    const { lowest, beyond } = this.#reading;
    return `(${this.value} >= ${lowest} AND ${this.value} < ${beyond})`;
  }

  /** Why a row has no deadline, as text [X1]. */
  get reason(): string {
    return `CASE WHEN ${this.value} IS NULL THEN 'missing field' ELSE '${this.#reading.refused}' END`;
  }

  /**
   * The instant up to which every row below the value `upper` is due, as timestamptz; null: rows from `lower` on may be
   * without a deadline.
   */
  deadlineOfRange(lower: string, upper: string): string {
    const { lowest, isExact } = this.#reading;
    const deadline = isExact ? this.deadlineOf(upper) : `${this.deadlineOf(upper)} + interval '1 day'`;
    return `CASE WHEN ${lower} >= ${lowest} THEN ${deadline} END`;
  }

  #plus(instant: string): string {
    return this.#duration === null ? instant : `(${instant} + ${this.#duration})`;
  }

  #minus(instant: string): string {
    return this.#duration === null ? instant : `(${instant} - ${this.#duration})`;
  }
}

/** Returns the deadlines of a source. Throws INVALID_TTL_INDEX for a column that is missing or holds no instants. */
export async function deadlineSql(
  session: Session,
  table: GovernedTable,
  source: RowSource,
): Promise<DeadlineSql> {
  if (source.kind === 'expression') {
    const { expression } = source;
    const type = await expressionType(session, table, expression);
    const reading = readingFor(type, 'The expression', { unit: 'seconds' });
    return new DeadlineSql({ type, column: null, expression, row: 't.', reading, expireAfter: 0 });
  }
  const column = table.columns.find(({ name }) => name === source.field);
  if (column === undefined) throw invalid(`The table has no column ${source.field}.`);
  const reading = readingFor(column.type, `The column ${source.field}`, source);
  const { name, type } = column;
  return new DeadlineSql({
    type,
    column: name,
    expression: null,
    row: 't.',
    reading,
    expireAfter: source.expireAfter,
  });
}

function readingFor(type: string, subject: string, options: Parameters<typeof readingOf>[1]): InstantReading {
  const reading = readingOf(type, options);
  if (reading === null) throw invalid(`${subject} is of type ${type}, which holds no instants.`);
  return reading;
}

async function expressionType(session: Session, table: GovernedTable, expression: string): Promise<string> {
  const { rows } = await session.query<{ type: string }>(
    `SELECT format_type(pg_typeof((SELECT (${expression}) FROM ${leafSql(table, 't')} LIMIT 0)), -1) AS type`,
  );
  return rows[0]?.type ?? 'unknown';
}
