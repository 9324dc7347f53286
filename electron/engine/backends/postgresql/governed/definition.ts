/**
 * Words of this folder
 *   table        a table of a PostgreSQL database with a primary key; a partitioned table is one table
 *   leaf         the table that stores the rows: the table itself, or one of its partitions
 *   definition   a TTL index on a table, kept in the schema `sandglass` of the same database
 *   row key      the text of each column of the primary key, in key order
 *   explicit     the expiration of one row, in `sandglass.expirations`; it outranks every definition [E1]
 *   lap          one walk of the reaper over what is due in a leaf, in the order of deadlines
 *
 * Instants are compared by the server, in microseconds. They pass through this code as text, so that none is rounded.
 */
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type {
  ExpressionSource,
  FieldSource,
  OnExpire,
  Pause,
  Schedule,
  TtlIndexDefinition,
} from '../../../../../shared/model/ttl-index.ts';
import type { TableName } from '../connection/quoting.ts';

/** A column plus a duration (0: the column holds the deadline), or an SQL expression that gives the deadline. */
export type RowSource = FieldSource | ExpressionSource;

/**
 * What happens to a partition that is past its deadline as a whole. `rows`: its rows are removed like others. `drop`: it
 * is detached and dropped. `keep`: it is detached, and dropped `seconds` later.
 */
export type PartitionPolicy = { mode: 'rows' } | { mode: 'drop' } | { mode: 'keep'; seconds: number };

/** A TTL index of a table, with what only PostgreSQL has. */
export interface RowDefinition extends TtlIndexDefinition {
  source: RowSource;
  onExpire: Extract<OnExpire, { action: 'delete' | 'move' }>;
  schedule: Schedule;
  partitions: PartitionPolicy;
}

/** A definition as it is stored. */
export interface TableDefinition {
  readonly id: number;
  /** OID of the table, which a change of its name does not change. */
  readonly oid: number;
  readonly table: TableName;
  readonly definition: RowDefinition;
  /** The role that made it, with whose rights the reaper acts. */
  readonly ownerRole: string;
  /** Counts its changes. */
  readonly revision: number;
  /** Its effect was confirmed by a person, or found small [R8]. */
  readonly isConfirmed: boolean;
  /** Last look of its schedule, or else when it took effect; epoch ms [R1]. */
  readonly lookedAt: number;
  readonly paused: Pause | null;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly createdBy: string;
}

const ROWS: PartitionPolicy = { mode: 'rows' };

/** Returns the definition for a table. Throws INVALID_TTL_INDEX for what only documents have. */
export function rowDefinition(given: TtlIndexDefinition, partitions: PartitionPolicy = ROWS): RowDefinition {
  const { name, limits, retention } = given;
  return {
    name,
    source: rowSource(given.source),
    onExpire: rowAction(given.onExpire),
    schedule: given.schedule,
    limits,
    retention,
    partitions,
  };
}

function rowSource(source: TtlIndexDefinition['source']): RowSource {
  if (source.kind === 'lastModified')
    throw invalid('PostgreSQL does not record when a row was last written. Name a column that does.');
  if (source.kind === 'expression') return source;
  if (source.expireAfter === undefined)
    throw invalid('A duration in another column is written as an SQL expression of both columns.');
  if (source.formats !== undefined)
    throw invalid('A text column is read by an SQL expression, not by formats.');
  return source;
}

function rowAction(onExpire: OnExpire): RowDefinition['onExpire'] {
  if (onExpire.action === 'delete' || onExpire.action === 'move') return onExpire;
  throw invalid(`Rows are deleted or moved at their deadline; ${onExpire.action} is for documents.`);
}

/** Returns the error of a definition that a table cannot have. */
export function invalid(message: string): SandglassError {
  return new SandglassError('INVALID_TTL_INDEX', message);
}
