import type { Doors } from '../engine/held-store.ts';
import type { Clock } from '../engine/platform/clock.ts';
import type { Logger } from '../engine/platform/logger.ts';
import { openDoor, placeForDoor } from './door.ts';

/** The doors of this machine, as a host's stores are given them: one for each. */
export function doorsHere(clock: Clock, log: Logger): Doors {
  return {
    place: () => placeForDoor(log),
    open: (path, attach) => openDoor({ path, attach, clock, log }),
  };
}
