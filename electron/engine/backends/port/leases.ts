import type { LeaseRecord } from '../../../../shared/contract/settings.ts';

/** The lease that a caller was shown: a change is refused if it has another number of keys by now. */
export interface ConfirmedLease {
  readonly id: string;
  readonly keyCount: number;
}

/** Leases, with which all keys attached to them are deleted. */
export interface LeaseControl {
  /** Returns null if the key has no lease. Throws DOCUMENT_NOT_FOUND. */
  ofKey(collection: string, id: string): Promise<LeaseRecord | null>;
  /** Throws DOCUMENT_NOT_FOUND if the lease does not exist. */
  get(id: string): Promise<LeaseRecord>;
  /** Throws EXPECTATION_FAILED if the number of keys has changed, DOCUMENT_NOT_FOUND. */
  keepAlive(lease: ConfirmedLease): Promise<LeaseRecord>;
  /** Throws as `keepAlive` does. */
  revoke(lease: ConfirmedLease): Promise<{ deleted: number }>;
}
