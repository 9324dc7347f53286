import type { DocumentFilter } from '../../../shared/contract/documents.ts';
import type { PolicyDrift } from '../../../shared/contract/policy.ts';
import type { GovernedDefinition } from '../backends/backend.ts';

/** The preview that is confirmed with the policy. */
interface Expectation {
  dueAtOnce: number;
  at: number;
}

/** The change that removes a difference. `replace index`: another source needs a new index. */
export type PolicyChange =
  | { do: 'create collection' }
  | {
      do: 'create index' | 'change index' | 'replace index';
      definition: GovernedDefinition;
      expect: Expectation | undefined;
    }
  | { do: 'drop index'; index: string }
  /** Gives the keys that the filter selects a TTL, s. */
  | { do: 'set TTL'; filter: DocumentFilter; after: number };

/** A difference between a policy and a store, with the change that removes it; null: no change does. */
export interface PolicyDifference {
  readonly drift: PolicyDrift;
  readonly change: PolicyChange | null;
}
