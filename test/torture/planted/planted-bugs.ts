import { DISK_BUGS } from './bugs/disk.ts';
import { EXPIRY_BUGS } from './bugs/expiry.ts';
import { HISTORY_BUGS } from './bugs/history.ts';
import { WRITING_BUGS } from './bugs/writing.ts';
import type { PlantedBug } from './planted-bug.ts';

export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...DISK_BUGS,
  ...WRITING_BUGS,
  ...EXPIRY_BUGS,
  ...HISTORY_BUGS,
];
