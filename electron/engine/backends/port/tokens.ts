import type { Permission } from '../../../../shared/contract/permissions.ts';
import type { TokenRecord } from '../../../../shared/contract/tokens.ts';

export interface NewToken {
  name: string;
  /** SHA-256 of the token, in hex; the token itself is not stored. */
  sha256: string;
  permission: Permission;
  by: string;
  /** Epoch ms; null if it does not expire. */
  expiresAt: number | null;
}

/** Tokens of the served host [P1]. Durable when a method returns. */
export interface TokenStore {
  /** By name. */
  list(): TokenRecord[];
  /** Throws TOKEN_NOT_FOUND. */
  get(name: string): TokenRecord;
  /** Throws TOKEN_EXISTS; BAD_REQUEST if the end is past, or beyond 1,000 tokens. */
  create(token: NewToken): TokenRecord;
  /** Throws TOKEN_NOT_FOUND. */
  revoke(name: string): void;
  /** Returns the owner of a token; null if unknown or expired. Records its use, to the minute. */
  ownerOf(sha256: string): { name: string; permission: Permission } | null;
  /** Returns whether there is such a token that has not expired. Does not record a use. */
  has(sha256: string): boolean;
  /** Calls `listener` with the hash of a token that is revoked or expires. Returns the function that unsubscribes. */
  onRevoke(listener: (sha256: string) => void): () => void;
}
