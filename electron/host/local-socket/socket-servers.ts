import type { Clock } from '../../engine/platform/clock.ts';
import type { Logger } from '../../engine/platform/logger.ts';
import type { LocalSockets } from '../connection.ts';
import { listenOnLocalSocket, localSocketPath } from './socket-server.ts';

/** Returns the local sockets of this machine, one for each connection of a host. */
export function localSockets(clock: Clock, log: Logger): LocalSockets {
  return {
    newPath: () => localSocketPath(log),
    listen: (path, attach) => listenOnLocalSocket({ path, attach, clock, log }),
  };
}
