import { createORPCClient } from '@orpc/client';
import type { Client } from '../../shared/contract/index.ts';
import { NotConnected } from './not-connected.ts';
import { type Act, confirm } from './production.ts';
import type { Stay } from './store-session.ts';
import type { Link } from './transport.ts';

/** Calls procedures of the contract over the session's current transport. */
export function clientOf(stayNow: () => Stay, actOf: () => Act): Client {
  const link: Link = {
    async call(path, input, options) {
      const stay = stayNow();
      if (stay.isOver) throw new NotConnected('left');
      await confirm(stay, path, input, actOf());
      const { line } = stay;
      if (line === null) throw new NotConnected(stay.isOver ? 'left' : 'away');
      try {
        const answer = await line.link.call(path, input, options);
        // The answer arrived while the window changed connections: its caller must not continue with another store.
        if (stay.isOver) throw new NotConnected('left');
        return answer;
      } catch (cause) {
        // Replaces the message of the socket.
        if (stay.line !== line) throw new NotConnected(stay.isOver ? 'left' : 'asked');
        throw cause;
      }
    },
  };
  return createORPCClient(link);
}
