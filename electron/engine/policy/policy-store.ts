import type { ExpectedPolicy } from '../../../shared/contract/policy.ts';
import type { Preview, TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import type { Backend, GovernedDefinition, PreviewQuery } from '../backends/backend.ts';
import type { DeadlineUndo } from '../backends/port/deadline-undo.ts';
import type { BulkChanges } from '../jobs/bulk-changes.ts';
import type { JobRegistry } from '../jobs/job-registry.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';

/** The person who applies a policy, and the preview that they confirmed; absent: none is needed. */
export interface ConfirmedBy {
  readonly by: string;
  readonly expect: { dueAtOnce: number; at: number } | undefined;
}

/** TTL indexes of any engine that has them. */
export interface PolicyIndexes {
  /** Rejects with EXPECTATION_FAILED if the database lacks the schema that keeps them. */
  requireSchema(): Promise<void>;
  /** Returns the definitions, those that are being built included. */
  definitions(collection: string): Promise<GovernedDefinition[]>;
  list(collection: string): Promise<TtlIndex[]>;
  /** Rejects with CANCELLED if the signal aborts. */
  preview(query: PreviewQuery, signal: AbortSignal | undefined): Promise<Preview>;
  create(collection: string, definition: GovernedDefinition, confirmed: ConfirmedBy): Promise<unknown>;
  change(collection: string, definition: GovernedDefinition, confirmed: ConfirmedBy): Promise<unknown>;
  drop(collection: string, index: string, by: string): Promise<void>;
}

/** A store that is compared with a policy. */
export interface PolicyStore {
  readonly backend: Backend;
  /** Null: the engine has no TTL indexes, and a policy states the TTLs of its keys. */
  readonly indexes: PolicyIndexes | null;
  /** Null: deadlines that were changed cannot be set back. */
  readonly undo: DeadlineUndo | null;
  createCollection(name: string): void;
  readonly expected: ExpectedPolicy | null;
  readonly bulkChanges: BulkChanges;
  readonly jobs: JobRegistry;
  readonly clock: Clock;
  readonly log: Logger;
  yieldToCalls(): Promise<void>;
}
