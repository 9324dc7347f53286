import { ORPCError } from '@orpc/client';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { Caller } from '../../engine/access/caller.ts';
import type { RunningEngine } from '../engine/running-engine.ts';
import { createTokenAdmission, type TokenAdmission } from './token-lookup.ts';

/**
 * Resolves to the engine of the requested connection and the caller that the token belongs to; null for an unknown token.
 * Rejects with CONNECTION_NOT_FOUND, CONNECTION_NOT_OPEN, and with SERVICE_UNAVAILABLE while no engine can check the token.
 */
export type Admit<Engine> = (
  token: string | undefined,
  connection: string | undefined,
) => Promise<{ engine: Engine; caller: Caller } | null>;

export interface AdmissionOptions {
  /** Returns the engine of a connection, home by default. Throws CONNECTION_NOT_FOUND, CONNECTION_NOT_OPEN. */
  engineAt(connection?: string): RunningEngine;
  launchToken: string;
  user: string;
}

/** The launch token is valid for every connection; every other token only for the store it was created in [P2]. */
export function createAdmission({ engineAt, launchToken, user }: AdmissionOptions): Admit<RunningEngine> {
  const admissions = new WeakMap<RunningEngine, TokenAdmission>();
  const admissionOf = (engine: RunningEngine): TokenAdmission => {
    const known = admissions.get(engine);
    if (known !== undefined) return known;
    const created = createTokenAdmission({ launchToken, user, link: engine.link });
    admissions.set(engine, created);
    return created;
  };
  return async (token, connection) => {
    let engine: RunningEngine;
    try {
      engine = engineAt(connection);
    } catch (error) {
      if (token === undefined) return null;
      // Only a caller of the home store learns which connections exist and are open.
      if ((await admissionOf(engineAt())(token)) !== null) throw error;
      if (isNotOpen(error)) throw tokenUncheckable();
      return null;
    }
    const caller = await admissionOf(engine)(token);
    return caller === null ? null : { engine, caller };
  };
}

const isNotOpen = (error: unknown) => error instanceof SandglassError && error.code === 'CONNECTION_NOT_OPEN';

/** The token may be one of that store, which may open again: a 503, and not a refusal. */
function tokenUncheckable(): ORPCError<'SERVICE_UNAVAILABLE', undefined> {
  return new ORPCError('SERVICE_UNAVAILABLE', {
    status: 503,
    message: 'This connection is not open, so the token cannot be checked. Try again later.',
  });
}
