import { createORPCClient } from '@orpc/client';
import type { Client } from '../../shared/contract/index.ts';
import { NotConnected } from './not-connected.ts';
import { type Act, confirm } from './production.ts';
import type { Stay } from './stay.ts';
import type { Link } from './transport.ts';

/** Every procedure of the contract, over whichever line the stay has. */
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
        // It came while the window was leaving: whoever waits for it must not go on elsewhere.
        if (stay.isOver) throw new NotConnected('left');
        return answer;
      } catch (cause) {
        // The socket's own message says nothing to a person.
        if (stay.line !== line) throw new NotConnected(stay.isOver ? 'left' : 'asked');
        throw cause;
      }
    },
  };
  return createORPCClient(link);
}
