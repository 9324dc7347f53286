import { createHash, timingSafeEqual } from 'node:crypto';
import { createORPCClient } from '@orpc/client';
import type { Client } from '../../../shared/contract/index.ts';
import type { Caller } from '../../engine/access/caller.ts';
import type { EngineLink } from '../engine/running-engine.ts';

/**
 * Resolves to the caller that a token belongs to; null for an unknown one. Rejects with SERVICE_UNAVAILABLE while no
 * engine runs.
 */
export type TokenLookup = (token: string | undefined) => Promise<Caller | null>;

export interface TokenLookupOptions {
  /** The token of the printed address, which has every permission [P1]. */
  launchToken: string;
  user: string;
  /** The host's own link, which looks up the other tokens. */
  link: EngineLink;
}

/** Characters. Longer tokens are refused before they are hashed. */
const LONGEST_TOKEN = 512;

/**
 * Looks up the token of every request, so that a revoked token is refused at once. Compares hashes: the launch token's
 * in constant time, independent of the length of the given one.
 */
export function createTokenLookup({ launchToken, user, link }: TokenLookupOptions): TokenLookup {
  const expected = sha256(launchToken);
  const client: Client = createORPCClient(link);
  return async token => {
    if (token === undefined || token.length > LONGEST_TOKEN) return null;
    const given = sha256(token);
    if (timingSafeEqual(given, expected)) return { user, permission: 'configure', from: 'network' };
    const hash = given.toString('hex');
    const found = await client.tokens.whose({ sha256: hash });
    return found === null
      ? null
      : { user: found.name, permission: found.permission, token: hash, from: 'network' };
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
