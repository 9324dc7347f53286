import type { Part } from './part.ts';
import { POWER_CUTS } from './power-cuts/part.ts';

/** Every part, in the order in which they run. */
export const PARTS: readonly Part[] = [POWER_CUTS];
