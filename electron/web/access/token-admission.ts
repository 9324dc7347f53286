import { createHash, timingSafeEqual } from 'node:crypto';
import { createORPCClient } from '@orpc/client';
import type { Client } from '../../../shared/contract/index.ts';
import type { Caller } from '../../engine/access/caller.ts';
import type { EngineLink } from '../engine/running-engine.ts';

/** Whose token this is; null: nobody's. Rejects with SERVICE_UNAVAILABLE while there is no engine to ask. */
export type Entrance = (token: string | undefined) => Promise<Caller | null>;

export interface EntranceNeeds {
  /** The one in the printed address: whoever holds it may do what the person at this machine may [P1]. */
  launchToken: string;
  user: string;
  /** The host's own, to ask whose another token is. */
  link: EngineLink;
}

/** Longer than any token of ours; nobody is made to hash more. */
const LONGEST_TOKEN = 512;

/**
 * Each request asks the engine anew, so that a revoked token is refused at once. The launch token is compared in
 * constant time, whatever the length of what was given; of the others only hashes are compared.
 */
export function createEntrance({ launchToken, user, link }: EntranceNeeds): Entrance {
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
