import { z } from 'zod';
import { pause } from '../../../../../shared/contract/reaper.ts';
import { storedDefinition, ttlSource } from '../../../../../shared/contract/ttl-indexes.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import {
  compileDeadlineExpression,
  type DeadlineExpression,
} from '../../../../../shared/model/expressions/deadline-expression.ts';
import {
  type ReferenceTimeReader,
  referenceTimeReader,
} from '../../../../../shared/model/expressions/reference-time-reader.ts';
import { parseJson } from '../../../../../shared/model/json/json.ts';
import { READING_RULES_VERSION } from '../../../../../shared/model/reading-rules.ts';
import {
  expireAfterMs,
  hides,
  type Pause,
  type TtlIndexDefinition,
  type TtlSource,
} from '../../../../../shared/model/ttl-index.ts';
import { type PreparedAction, prepareAction } from '../../../expiry/action.ts';
import type { DeadlineRule } from '../../../expiry/deadline.ts';

/** A row of `successors`. */
export interface SuccessorRow {
  source: number;
  definition: string;
  side: number;
  built_through_row: number | null;
  by: string;
  since: number;
  change: 'change' | 'revert';
  expected: number;
  rules: number;
}
/** A row of `ttl_indexes`. */
export interface IndexRow {
  id: number;
  collection: number;
  name: string;
  definition: string;
  paused: string | null;
  created_at: number;
  created_by: string;
  effective_at: number;
  built_through_row: number | null;
  rules: number;
  was_due: number | null;
  acting: number;
  confirmed: number;
  expected: number;
  pending: string | null;
  side: number;
  governed_side: number | null;
}

/** A TTL index of the catalog, prepared to compute deadlines. */
export class CatalogIndex implements DeadlineRule {
  readonly id: number;
  readonly table: number;
  readonly governedTable: number | null;
  readonly definition: TtlIndexDefinition;
  readonly paused: Pause | null;
  readonly createdAt: number;
  readonly createdBy: string;
  /** When this definition took effect, epoch ms; lag is counted from then on [M1]. */
  readonly effectiveAt: number;
  /** Rows up to this one have entries; null: all, the index is ready. */
  readonly builtThroughRow: number | null;
  /** Confirmed, not only observing, and built at least once: decides deadlines, also during a rebuild [R1, R6, V1]. */
  readonly isActing: boolean;
  /** Acting, with a complete index table: counted, and used by the reaper. */
  readonly isServing: boolean;
  /** True if its entries were made by other reading rules: they are neither used nor changed (index-renewal.ts). */
  readonly isOutdated: boolean;
  /** Number of documents that its former entries made due, during a rebuild; null otherwise. */
  readonly wasDue: number | null;
  readonly isConfirmed: boolean;
  /** True if a person confirmed how many documents it makes due before creating it: the breaker does not trip [R8]. */
  readonly isExpected: boolean;
  /** A change that is held until a person confirms it [R8]. */
  readonly pending: PendingChange | null;
  /** Definition that replaces this one once its index table is built [D8]; null: none. */
  readonly successor: CatalogSuccessor | null;
  readonly hides: boolean;
  readonly addMs: number;
  readonly read: ReferenceTimeReader;
  readonly #rows: string;
  #action: PreparedAction | null = null;
  #expression: DeadlineExpression | null = null;

  constructor(row: IndexRow, successor: SuccessorRow | undefined) {
    this.#rows = JSON.stringify([row, successor]);
    const stored = storedDefinition.parse(parseJson(row.definition));
    this.id = row.id;
    this.table = row.side;
    this.governedTable = row.governed_side;
    this.definition = { name: row.name, ...stored };
    this.paused = parsePause(row.paused);
    this.createdAt = row.created_at;
    this.createdBy = row.created_by;
    this.effectiveAt = row.effective_at;
    this.isOutdated = row.rules !== READING_RULES_VERSION;
    this.wasDue = row.was_due;
    this.builtThroughRow = this.isOutdated ? 0 : row.built_through_row;
    this.isServing = this.builtThroughRow === null && row.acting === 1;
    this.isActing = row.acting === 1 && (row.built_through_row === null || row.was_due !== null);
    this.isConfirmed = row.confirmed === 1;
    this.isExpected = row.expected === 1;
    this.pending = row.pending === null ? null : pendingChange.parse(parseJson(row.pending));
    this.successor = successor === undefined ? null : readSuccessor(row.name, successor);
    this.hides = hides(stored.onExpire);
    this.addMs = expireAfterMs(stored.source);
    this.read = readerOf(row.name, stored.source);
  }

  get name(): string {
    return this.definition.name;
  }
  /** Action on due documents; compiled when the first one is due. */
  get action(): PreparedAction {
    this.#action ??= prepareAction(this.definition.onExpire);
    return this.#action;
  }
  /**
   * Returns why its expression gave no deadline for a document [X1]; null if it gave one, or if the index has no
   * expression.
   */
  problemOf(document: unknown, updatedAt: number): string | null {
    const { source } = this.definition;
    if (source.kind !== 'expression') return null;
    this.#expression ??= compileDeadlineExpression(source.expression);
    return this.#expression.problem(document, updatedAt);
  }
  /** Returns whether these rows have the same definition. */
  isOf(row: IndexRow, successor: SuccessorRow | undefined): boolean {
    return this.#rows === JSON.stringify([row, successor]);
  }
  get isPaused(): boolean {
    return this.paused !== null;
  }
  get isReady(): boolean {
    return this.builtThroughRow === null;
  }
}

/** A definition of an index with another source, not in effect yet; see index-successors.ts. */
export interface CatalogSuccessor {
  /** `ttl_indexes.id` of its index. */
  readonly source: number;
  readonly definition: TtlIndexDefinition;
  readonly table: number;
  /** Rows up to this one have entries in its index table; null: all. */
  readonly builtThroughRow: number | null;
  readonly by: string;
  readonly since: number;
  readonly change: 'change' | 'revert';
  readonly isExpected: boolean;
  /** True if its entries were made by other reading rules: they are not used. */
  readonly isOutdated: boolean;
  readonly read: ReferenceTimeReader;
}

/** Throws STORE_UNREADABLE for an expression or a date format that another version accepted and this one does not. */
function readerOf(index: string, source: TtlSource): ReferenceTimeReader {
  try {
    return referenceTimeReader(source);
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    throw new SandglassError(
      'STORE_UNREADABLE',
      `This version of Sandglass does not support the ${source.kind === 'expression' ? 'expression' : 'date format'} of the store’s TTL index ${index} (${error.message}) Open the store with the version that created it, and drop or change that index there.`,
      { index, ...error.data },
    );
  }
}

const pendingChange = z.object({
  source: ttlSource,
  definition: storedDefinition,
  by: z.string(),
  since: z.number(),
  dueAtOnce: z.number(),
});
/** A held definition of an index, without effect yet: confirming it would make `dueAtOnce` documents due [R8]. */
export interface PendingChange {
  source: TtlSource;
  /** The whole definition without its name. */
  definition: Omit<TtlIndexDefinition, 'name'>;
  by: string;
  since: number;
  dueAtOnce: number;
}

function readSuccessor(name: string, row: SuccessorRow): CatalogSuccessor {
  const { source, side: table, by, since, change } = row;
  const definition = { name, ...storedDefinition.parse(parseJson(row.definition)) };
  const isOutdated = row.rules !== READING_RULES_VERSION;
  return {
    ...{ source, definition, table, by, since, change, isOutdated },
    builtThroughRow: isOutdated ? 0 : row.built_through_row,
    isExpected: row.expected === 1,
    read: readerOf(name, definition.source),
  };
}

/** Parses JSON {by, since}; null if nothing is paused. */
export function parsePause(text: string | null): Pause | null {
  return text === null ? null : pause.parse(JSON.parse(text));
}
