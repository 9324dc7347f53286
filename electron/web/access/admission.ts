import { ORPCError } from '@orpc/client';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { Caller } from '../../engine/access/caller.ts';
import type { RunningEngine } from '../engine/running-engine.ts';
import { createEntrance, type Entrance } from './token-admission.ts';

/**
 * Who comes in where: the engine of the connection that was asked for, and the caller it is to know them as; null: nobody
 * with that token. Rejects with CONNECTION_NOT_FOUND and CONNECTION_NOT_OPEN, and with SERVICE_UNAVAILABLE while there is
 * no engine to ask whose token it is.
 */
export type Admit<Engine> = (
  token: string | undefined,
  connection: string | undefined,
) => Promise<{ engine: Engine; caller: Caller } | null>;

export interface AdmissionNeeds {
  /** Home where none is named. Throws CONNECTION_NOT_FOUND, CONNECTION_NOT_OPEN. */
  engineAt(connection?: string): RunningEngine;
  launchToken: string;
  user: string;
}

/** The launch token opens every connection; any other opens the store that it was made in, and no other [P2]. */
export function createAdmission({ engineAt, launchToken, user }: AdmissionNeeds): Admit<RunningEngine> {
  const entrances = new WeakMap<RunningEngine, Entrance>();
  const entranceOf = (engine: RunningEngine): Entrance => {
    const known = entrances.get(engine);
    if (known !== undefined) return known;
    const made = createEntrance({ launchToken, user, link: engine.link });
    entrances.set(engine, made);
    return made;
  };
  return async (token, connection) => {
    let engine: RunningEngine;
    try {
      engine = engineAt(connection);
    } catch (error) {
      if (token === undefined) return null;
      // Who may not even enter here does not learn what is open here.
      if ((await entranceOf(engineAt())(token)) !== null) throw error;
      if (isNotOpen(error)) throw nobodyToAsk();
      return null;
    }
    const caller = await entranceOf(engine)(token);
    return caller === null ? null : { engine, caller };
  };
}

const isNotOpen = (error: unknown) => error instanceof SandglassError && error.code === 'CONNECTION_NOT_OPEN';

/** It may be a token of that store, which is there again soon: it is not refused for good. */
function nobodyToAsk(): ORPCError<'SERVICE_UNAVAILABLE', undefined> {
  return new ORPCError('SERVICE_UNAVAILABLE', {
    status: 503,
    message: 'This connection is not open now, so nobody can say whose token this is. Ask again later.',
  });
}
