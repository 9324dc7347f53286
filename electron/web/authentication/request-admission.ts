import { ORPCError } from '@orpc/client';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { Caller } from '../../engine/access/caller.ts';
import type { RunningEngine } from '../engine/running-engine.ts';
import { createTokenLookup } from './token-lookup.ts';

/**
 * Resolves to the engine of the requested connection and the caller that the token belongs to; null for an unknown
 * token. Rejects with CONNECTION_NOT_FOUND, CONNECTION_NOT_OPEN, and with SERVICE_UNAVAILABLE while no engine can check
 * the token.
 */
export type Admit<Engine> = (
  token: string | undefined,
  connection: string | undefined,
) => Promise<{ engine: Engine; caller: Caller } | null>;

export interface RequestAdmissionOptions {
  /** Returns the engine of a connection, home by default. Throws CONNECTION_NOT_FOUND, CONNECTION_NOT_OPEN. */
  engineAt(connection?: string): RunningEngine;
  launchToken: string;
  user: string;
}

/**
 * The launch token is valid for every connection. A token is valid for the store it was created in and, if that is the
 * home store, for remote stores, which have no tokens of their own [P2].
 */
export function createRequestAdmission({
  engineAt,
  launchToken,
  user,
}: RequestAdmissionOptions): Admit<RunningEngine> {
  const lookupOf = ({ link }: RunningEngine) => createTokenLookup({ launchToken, user, link });
  return async (token, connection) => {
    let engine: RunningEngine;
    try {
      engine = engineAt(connection);
    } catch (error) {
      if (token === undefined) return null;
      // Only callers of the home store learn from the answer which connections exist and are open.
      if ((await lookupOf(engineAt())(token)) !== null) throw error;
      if (isNotOpen(error)) throw tokenUncheckable();
      return null;
    }
    const caller = await lookupOf(engine.isRemote ? engineAt() : engine)(token);
    return caller === null ? null : { engine, caller };
  };
}

const isNotOpen = (error: unknown) => error instanceof SandglassError && error.code === 'CONNECTION_NOT_OPEN';

/** Returns a 503 and not a refusal: the token may belong to that store, which may be opened again. */
function tokenUncheckable(): ORPCError<'SERVICE_UNAVAILABLE', undefined> {
  return new ORPCError('SERVICE_UNAVAILABLE', {
    status: 503,
    message: 'This connection is not open, so the token cannot be checked. Try again later.',
  });
}
