import { createORPCClient } from '@orpc/client';
import type { Client } from '../../shared/contract/index.ts';
import { confirm, type WriteAction } from './confirm-production-write.ts';
import { confirmEffect, refusedEffect } from './effect-question.ts';
import { NotConnected } from './not-connected.ts';
import type { StoreSession } from './store-session.ts';
import type { Link } from './transport.ts';

/** Calls procedures of the contract over the session's current transport. */
export function clientOf(sessionNow: () => StoreSession, actionOf: () => WriteAction): Client {
  const link: Link = {
    async call(path, input, options) {
      const session = sessionNow();
      if (session.hasEnded) throw new NotConnected('connection changed');
      const action = actionOf();
      await confirm(session, path, input, action);
      const send = (sent: unknown) =>
        callOnce(session, transport => transport.link.call(path, sent, options));
      try {
        return await send(input);
      } catch (error) {
        const effect = refusedEffect(error);
        if (effect === null) throw error;
        // The engine refuses a call with a large effect [R8]. After the confirmation the call is repeated with that
        // effect.
        if (action.isEffectConfirmed !== true) await confirmEffect({ effect, path, input });
        return await send({ ...fieldsOf(input), expect: { due: effect.due } });
      }
    },
  };
  return createORPCClient(link);
}

const fieldsOf = (input: unknown) => (typeof input === 'object' && input !== null ? input : {});

async function callOnce<Answer>(
  session: StoreSession,
  call: (transport: NonNullable<StoreSession['transport']>) => Promise<Answer>,
): Promise<Answer> {
  const { transport } = session;
  if (transport === null) throw new NotConnected(session.hasEnded ? 'connection changed' : 'not sent');
  try {
    const answer = await call(transport);
    // The window changed connections before the answer: the caller must not continue with another store.
    if (session.hasEnded) throw new NotConnected('connection changed');
    return answer;
  } catch (cause) {
    // Replaces the error message of the socket.
    if (session.transport !== transport)
      throw new NotConnected(session.hasEnded ? 'connection changed' : 'no answer');
    throw cause;
  }
}
