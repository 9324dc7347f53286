import { createORPCClient } from '@orpc/client';
import type { Client } from '../../shared/contract/index.ts';
import { NotConnected } from './not-connected.ts';
import { confirm, type WriteAction } from './production.ts';
import type { StoreSession } from './store-session.ts';
import type { Link } from './transport.ts';

/** Calls procedures of the contract over the session's current transport. */
export function clientOf(sessionNow: () => StoreSession, actionOf: () => WriteAction): Client {
  const link: Link = {
    async call(path, input, options) {
      const session = sessionNow();
      if (session.hasEnded) throw new NotConnected('connection changed');
      await confirm(session, path, input, actionOf());
      const { transport } = session;
      if (transport === null) throw new NotConnected(session.hasEnded ? 'connection changed' : 'not sent');
      try {
        const answer = await transport.link.call(path, input, options);
        // The answer arrived while the window changed connections: its caller must not continue with another store.
        if (session.hasEnded) throw new NotConnected('connection changed');
        return answer;
      } catch (cause) {
        // Replaces the message of the socket.
        if (session.transport !== transport)
          throw new NotConnected(session.hasEnded ? 'connection changed' : 'no answer');
        throw cause;
      }
    },
  };
  return createORPCClient(link);
}
