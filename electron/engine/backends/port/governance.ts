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

/** Settings by the engine's own names. */
export type EngineParameters = NonNullable<TtlIndex['parameters']>;

/** A stored TTL index by its name, the source of one that does not exist yet, or neither. */
export interface ReportedIndex {
  readonly index?: string | undefined;
  readonly source?: TtlIndexDefinition['source'] | undefined;
}

/** An index of the database itself, before it is built. */
export interface IndexBuild {
  /** The table and what is indexed, as SQL. */
  readonly subject: string;
  /** Rows of the table, estimated. */
  readonly rows: number;
  /**
   * Builds it while others write. `share`: 0 to 1; `waits`: until older transactions have ended. Rejects if the signal
   * aborts; nothing of it is left then.
   */
  run(
    signal: AbortSignal,
    onProgress: (progress: { readonly share: number; readonly waits: boolean }) => void,
  ): Promise<void>;
}

/** A definition as it is given or read back; the table decides what `partitions` may be. */
export type GovernedDefinition = TtlIndexDefinition & {
  partitions?: TtlIndex['partitions'];
  parameters?: EngineParameters | undefined;
};

/** A schema of Sandglass in a remote database, with the definitions on which Sandglass's reaper acts there. */
export interface SchemaControl {
  schema(): Promise<GovernanceSchema>;
  /** Rejects with EXPECTATION_FAILED while the schema is absent. */
  requireSchema(): Promise<void>;
  /** Rejects with STORE_TOO_NEW. */
  createSchema(): Promise<GovernanceSchema>;
  /** Reports on a stored index, or on one with this source before it is created. Rejects with COLLECTION_NOT_FOUND, TTL_INDEX_NOT_FOUND. */
  report(collection: string, of: ReportedIndex): Promise<TableReport>;
  /**
   * Prepares the index that the scan of the deadlines lacks. Rejects with EXPECTATION_FAILED if there is one,
   * PERMISSION_DENIED, and as `report`.
   */
  indexBuild(collection: string, of: ReportedIndex): Promise<IndexBuild>;
}

/**
 * TTL indexes that are kept in a remote database itself. Where they need a schema, every method that changes something
 * rejects with EXPECTATION_FAILED and the SQL while it is absent.
 */
export interface Governance {
  /** Null: the engine keeps definitions by itself, and acts on them. */
  readonly schemaControl: SchemaControl | null;
  /**
   * Returns the SQL that gives a collection this definition; of the present one, the SQL that defines it anew. Null: the
   * engine has no SQL for it. Rejects with INVALID_TTL_INDEX.
   */
  readonly statements: ((collection: string, definition: GovernedDefinition) => Promise<string[]>) | null;

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
   * begins it. Null: the engine begins passes by itself only.
   */
  readonly run: ((scope: PauseScope, by: string) => Promise<{ removed: number; passes: Pass[] }>) | null;
  /** Ends holds, so that what they held is removed [R8, R9, R10]. */
  confirm(holds: readonly HoldRecord[], by: string): Promise<void>;
  passes(
    query: HistoryQuery & { before?: number | undefined },
  ): Promise<{ passes: Pass[]; next: number | null }>;
}
