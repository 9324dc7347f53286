import type { Random } from '../../support/random.ts';

/** Actions of a life (life-child.ts). */
const PHASES = [
  ...[
    'import',
    'writes',
    'drain',
    'sweep',
    'build',
    'restore',
    'purge',
    'delete',
    'settings',
    'backup',
    'compact',
  ],
  'reopen',
];

export function randomPhases(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => random.pick(PHASES));
}
