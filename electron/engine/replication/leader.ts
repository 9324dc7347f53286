import type { ContractRouterClient, InferContractRouterOutputs } from '@orpc/contract';
import type { replication } from '../../../shared/contract/replication.ts';
import { REPLICATION_VERSIONS } from '../../../shared/model/replication-protocol.ts';

type Answers = InferContractRouterOutputs<typeof replication>;
export type Registered = Answers['register'];
export type SnapshotPage = Answers['snapshot'];
export type LogPage = Answers['log'];

/**
 * Progress of a follower: its store has every revision up to `after`, and its file has erased every purge up to
 * `purged` [X4].
 */
export interface FollowerProgress {
  after: number;
  purged: number;
}

/** Calls of a follower to its leader [V5], with the name of its registration. A call rejects when it is aborted. */
export interface Leader {
  register(follower: string, signal: AbortSignal): Promise<Registered>;
  /** The first page if `after` is null, otherwise the page after it. */
  snapshot(follower: string, after: string | null, signal: AbortSignal): Promise<SnapshotPage>;
  /**
   * Waits up to `waitMs` for a revision after `after`. Rejects with REVISION_COMPACTED if the log no longer has it.
   */
  log(follower: string, at: FollowerProgress, waitMs: number, signal: AbortSignal): Promise<LogPage>;
}

/** Returns a leader that is called over the contract, on any connection. */
export function leaderOverContract({
  register,
  snapshot,
  log,
}: ContractRouterClient<typeof replication>): Leader {
  return {
    register: (follower, signal) => register({ follower, ...REPLICATION_VERSIONS }, { signal }),
    snapshot: (follower, after, signal) => snapshot({ follower, after }, { signal }),
    log: (follower, at, waitMs, signal) => log({ follower, ...at, waitMs }, { signal }),
  };
}
