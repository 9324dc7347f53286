import type { LeaseList, LeaseRecord } from '../../../../shared/contract/leases.ts';

/** The lease that a caller was shown: a change is refused if it has another number of keys by now. */
export interface ConfirmedLease {
  readonly id: string;
  readonly keyCount: number;
}

/** A key, and a lease to which it is attached or shall be. */
export interface LeaseAndKey {
  readonly id: string;
  readonly collection: string;
  /** `_id` of the key. */
  readonly key: string;
}

/** Leases, with which all keys attached to them are deleted. */
export interface LeaseControl {
  /** Returns null if the key has no lease. Throws DOCUMENT_NOT_FOUND. */
  ofKey(collection: string, id: string): Promise<LeaseRecord | null>;
  /** Returns a page of the leases, those that end first at the beginning. Throws BAD_REQUEST for another `after`. */
  list(page: { limit: number; after?: string | undefined }): Promise<LeaseList>;
  /** Throws DOCUMENT_NOT_FOUND if the lease does not exist. */
  get(id: string): Promise<LeaseRecord>;
  /** Returns a lease without keys. */
  grant(seconds: number): Promise<LeaseRecord>;
  /** Throws DOCUMENT_NOT_FOUND if the lease or the key does not exist. */
  attach(chosen: LeaseAndKey): Promise<LeaseRecord>;
  /** Throws EXPECTATION_FAILED if the key has another lease, or none, by now; otherwise as `attach` does. */
  detach(chosen: LeaseAndKey): Promise<LeaseRecord>;
  /** Throws EXPECTATION_FAILED if the number of keys has changed, DOCUMENT_NOT_FOUND. */
  keepAlive(lease: ConfirmedLease): Promise<LeaseRecord>;
  /** Throws as `keepAlive` does. */
  revoke(lease: ConfirmedLease): Promise<{ deleted: number }>;
}
