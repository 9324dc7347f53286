import type { Random } from '../../support/random.ts';
import {
  changeIndex,
  confirm,
  createIndex,
  dropIndex,
  pause,
  purge,
  runPass,
  setBreaker,
  setLimits,
  setRetention,
} from './definition-steps.ts';
import { importDocuments, remove, restore, setExpiration, write } from './document-steps.ts';
import type { SimulatedStore } from './simulated-store.ts';
import { backUp, jump, kill, openBackup, passTime, restart, sleep, stall } from './time-steps.ts';

/** Returns what it did, for a person. */
type Do = (store: SimulatedStore, random: Random) => Promise<string>;

/** A kind of step. A history has a part of them only, so that rare ones meet each other (swarm testing). */
export interface Feature {
  readonly name: string;
  readonly weight: number;
  readonly isAlways?: true;
  readonly do: Do;
}

export const FEATURES: readonly Feature[] = [
  { name: 'write', weight: 30, isAlways: true, do: write },
  { name: 'time', weight: 30, isAlways: true, do: passTime },
  { name: 'index', weight: 10, isAlways: true, do: createIndex },
  { name: 'delete', weight: 5, do: remove },
  { name: 'expiration', weight: 12, do: setExpiration },
  { name: 'change of an index', weight: 6, do: changeIndex },
  { name: 'drop of an index', weight: 2, do: dropIndex },
  { name: 'pause', weight: 8, do: pause },
  { name: 'limits', weight: 4, do: setLimits },
  { name: 'breaker', weight: 3, do: setBreaker },
  { name: 'confirmation', weight: 8, do: confirm },
  { name: 'pass by hand', weight: 4, do: runPass },
  { name: 'restore', weight: 6, do: restore },
  { name: 'purge', weight: 3, do: purge },
  { name: 'retention', weight: 2, do: setRetention },
  { name: 'import', weight: 4, do: importDocuments },
  { name: 'jump', weight: 4, do: jump },
  { name: 'sleep', weight: 3, do: sleep },
  { name: 'long sleep of the process', weight: 4, do: stall },
  { name: 'restart', weight: 3, do: restart },
  { name: 'kill', weight: 4, do: kill },
  { name: 'backup', weight: 2, do: backUp },
  { name: 'opening of a backup', weight: 1, do: openBackup },
];
