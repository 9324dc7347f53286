import { DISK } from './disk/disk.ts';
import { FOLLOWERS } from './followers/part.ts';
import { HISTORIES } from './histories/part.ts';
import { HOSTILE_INPUT } from './hostile-input/part.ts';
import { IO_FAULTS } from './io-faults/io-faults.ts';
import { KILLS } from './kills/part.ts';
import type { Part } from './part.ts';
import { POWER_CUTS } from './power-cuts/part.ts';
import { SIMULATION } from './simulation/part.ts';
import { SOAK } from './soak/part.ts';
import { UPGRADES } from './upgrades/part.ts';

/** Every part, in the order in which they run. */
export const PARTS: readonly Part[] = [
  POWER_CUTS,
  IO_FAULTS,
  DISK,
  HISTORIES,
  SIMULATION,
  KILLS,
  FOLLOWERS,
  UPGRADES,
  HOSTILE_INPUT,
  SOAK,
];
