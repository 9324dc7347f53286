import type { Clock } from '../../engine/platform/clock.ts';
import type { Logger } from '../../engine/platform/logger.ts';
import type { Doors } from '../connection.ts';
import { openDoor, placeForDoor } from './socket-server.ts';

/** The doors of this machine, as a host's stores are given them: one for each. */
export function doorsHere(clock: Clock, log: Logger): Doors {
  return {
    place: () => placeForDoor(log),
    open: (path, attach) => openDoor({ path, attach, clock, log }),
  };
}
