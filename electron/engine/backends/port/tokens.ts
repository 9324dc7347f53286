import type { Permission } from '../../../../shared/contract/permissions.ts';
import type { TokenRecord } from '../../../../shared/contract/tokens.ts';

export interface NewToken {
  name: string;
  /** Of the token, in hex; the token itself is not kept. */
  sha256: string;
  permission: Permission;
  by: string;
  /** Epoch ms; null: it has no end. */
  expiresAt: number | null;
}

/** Who may enter the served host [P1]. Durable when a method returns. */
export interface TokenStore {
  /** By name. */
  list(): TokenRecord[];
  /** Throws TOKEN_NOT_FOUND. */
  get(name: string): TokenRecord;
  /** Throws TOKEN_EXISTS; BAD_REQUEST for an end that is past, and beyond 1,000 tokens. */
  create(token: NewToken): TokenRecord;
  /** Throws TOKEN_NOT_FOUND. */
  revoke(name: string): void;
  /** Null also for one that has ended. Notes that it was used, to the minute. */
  whose(sha256: string): { name: string; permission: Permission } | null;
  /** Told the hash of a token when it is revoked or ends, until the returned function is called. */
  onRevoke(listener: (sha256: string) => void): () => void;
}
