import { oc } from '@orpc/contract';
import type { LARGEST_BODY_BYTES } from '../model/transport/body-limits.ts';
import type { Feature } from './capabilities.ts';
import { CONTRACT_ERRORS } from './errors.ts';
import type { Permission } from './permissions.ts';

/** Metadata of a procedure. */
export interface ProcedureMeta {
  /** Lowest permission of a caller [P1]. */
  permission: Permission;
  /**
   * Whether the call has an effect on this store, its files, its jobs or its webhook. Such a call is refused on a
   * read-only connection [P2] and by a mirror [V5], waits while the file is compacted, and is confirmed first in
   * production. False for reads, and for `connections.*`, which change the host's list of connections and no store.
   */
  writes: boolean;
  /** The feature of the engine that the call needs; null: every engine supports it. */
  feature: Feature | null;
  /** Kind of body, which determines the size limit; `other` by default. */
  body?: keyof typeof LARGEST_BODY_BYTES;
}

/** Starts a procedure. There is no default: a procedure that omits `permission`, `writes` or `feature` does not compile. */
export function procedure(meta: ProcedureMeta) {
  return oc.$meta(meta).errors(CONTRACT_ERRORS);
}
