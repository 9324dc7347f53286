import type { HoldRecord, Pass, ReaperState } from '../../../../shared/contract/reaper.ts';
import type {
  DroppedIndex,
  ExpressionCandidate,
  FieldCandidate,
  PolicyChange,
  Preview,
  TableReport,
  TtlIndex,
} from '../../../../shared/contract/ttl-indexes.ts';
import type { Pause, TtlIndexDefinition } from '../../../../shared/model/ttl-index.ts';
import type { HistoryQuery, PreviewQuery } from './reads.ts';
import type { IndexChangeOptions, PauseScope } from './writes.ts';

/** State and SQL of the schema in which definitions are kept. */
export interface GovernanceSchema {
  readonly schema: 'absent' | 'present' | 'newer';
  readonly sql: string;
  readonly dropSql: string;
}

/** A definition as it is given or read back; the table decides what `partitions` may be. */
export type GovernedDefinition = TtlIndexDefinition & { partitions?: TtlIndex['partitions'] };

/**
 * TTL indexes that are kept in a remote database itself, where Sandglass's reaper acts on them. Every method that changes
 * something rejects with EXPECTATION_FAILED and the SQL while the schema is absent.
 */
export interface Governance {
  schema(): Promise<GovernanceSchema>;
  /** Rejects with STORE_TOO_NEW. */
  createSchema(): Promise<GovernanceSchema>;
  /** Rejects with COLLECTION_NOT_FOUND, TTL_INDEX_NOT_FOUND. */
  report(collection: string, index: string | undefined): Promise<TableReport>;

  indexes(collection: string): Promise<TtlIndex[]>;
  /** `estimate`: by the server's statistics, at once. Rejects with CANCELLED if the signal aborts. */
  preview(query: PreviewQuery & { estimate?: true | undefined }, signal?: AbortSignal): Promise<Preview>;
  candidates(collection: string): Promise<{
    sampled: number;
    documents: number;
    fields: FieldCandidate[];
    expressions: ExpressionCandidate[];
  }>;
  definition(collection: string, index: string): Promise<GovernedDefinition>;
  create(collection: string, definition: GovernedDefinition, options: IndexChangeOptions): Promise<void>;
  change(collection: string, definition: GovernedDefinition, options: IndexChangeOptions): Promise<void>;
  drop(collection: string, index: string, by: string): Promise<void>;
  history(collection: string, index: string): Promise<PolicyChange[]>;
  dropped(collection: string): Promise<DroppedIndex[]>;

  readonly reaperState: ReaperState;
  /** Pauses or, with null, resumes an index, all indexes of a collection, or the whole database [R6]. */
  setPause(scope: PauseScope, pause: Pause | null, by: string): Promise<void>;
  /**
   * Runs a pass over what is due in the scope, and resolves at its end [R6]. Rejects with BUSY if no Sandglass instance
   * begins it.
   */
  run(scope: PauseScope, by: string): Promise<{ removed: number; passes: Pass[] }>;
  /** Ends holds, so that what they held is removed [R8, R9, R10]. */
  confirm(holds: readonly HoldRecord[], by: string): Promise<void>;
  passes(
    query: HistoryQuery & { before?: number | undefined },
  ): Promise<{ passes: Pass[]; next: number | null }>;
}
