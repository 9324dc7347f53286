import type {
  DroppedIndex,
  EnsuredIndex,
  ExpressionCandidate,
  FieldCandidate,
  PolicyChange,
  Preview,
  TtlIndex,
} from '../../../shared/contract/ttl-indexes.ts';
import type { Limits, Schedule, TtlIndexDefinition, TtlSource } from '../../../shared/model/ttl-index.ts';
import type { GovernedDefinition, PreviewQuery } from '../backends/backend.ts';

/** The parts of a definition that a call changes. */
export interface DefinitionChanges {
  source?: TtlSource | undefined;
  expireAfter?: number | undefined;
  onExpire?: TtlIndexDefinition['onExpire'] | undefined;
  schedule?: Schedule | null | undefined;
  limits?: { [Name in keyof Limits]: Limits[Name] | null } | undefined;
  retention?: number | null | undefined;
}

/** The preview that a person confirmed, and when they saw it [R8]. */
export interface Expectation {
  dueAtOnce: number;
  at?: number | undefined;
}

interface Expected {
  collection: string;
  expect?: Expectation | undefined;
}

/** A call without a name gets an unused one. */
type NewIndex = Expected & Omit<GovernedDefinition, 'name'> & { name?: string | undefined };

type IndexChange = Expected &
  DefinitionChanges & {
    index: string;
    partitions?: GovernedDefinition['partitions'];
    /** Null: the engine's default. */
    parameters?: Readonly<Record<string, string | number | boolean | null>> | undefined;
  };

/** The calls on TTL indexes, as an engine answers them. An engine without TTL indexes rejects with NOT_SUPPORTED. */
export interface TtlIndexCalls {
  list(collection: string): Promise<TtlIndex[]>;
  /** Rejects with TTL_INDEX_NOT_FOUND. */
  get(collection: string, index: string): Promise<TtlIndex>;
  /** Rejects with EXPECTATION_FAILED and the preview unless its effect is confirmed or small [R8]. */
  create(input: NewIndex, by: string): Promise<TtlIndex>;
  update(input: IndexChange, by: string): Promise<TtlIndex>;
  drop(collection: string, index: string, by: string): Promise<void>;
  preview(
    input: PreviewQuery & { estimate?: true | undefined },
    signal: AbortSignal | undefined,
  ): Promise<Preview>;
  /** Latest first [X5]. */
  history(collection: string, index: string): Promise<PolicyChange[]>;
  dropped(collection: string): Promise<DroppedIndex[]>;
  revert(input: Expected & { index: string; change: number }, by: string): Promise<TtlIndex>;
  definition(collection: string, index: string): Promise<GovernedDefinition>;
  /** Returns the SQL that gives a collection this definition; null: the engine has none. */
  statements(collection: string, definition: GovernedDefinition): Promise<string[] | null>;
  candidates(
    collection: string,
    signal: AbortSignal | undefined,
  ): Promise<{
    sampled: number;
    documents: number;
    fields: FieldCandidate[];
    expressions: ExpressionCandidate[];
  }>;
}

/** Those of Sandglass's own store. */
export interface EmbeddedTtlIndexCalls extends TtlIndexCalls {
  /** Creates the only index of a collection, or returns the identical one (Macrometa's call). Throws TTL_INDEX_EXISTS. */
  ensure(
    collection: string,
    index: { name: string | undefined; source: TtlSource },
    by: string,
  ): Promise<{ status: 200 | 201; body: EnsuredIndex }>;
}
