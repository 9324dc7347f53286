import { formatDuration } from '../../../../shared/model/format.ts';
import { toHealth } from '../../../components/navigation/location.ts';
import type { Finder } from './finding.ts';

/** What the line between window and engine takes is less. */
const LEAST_MS = 1_000;

/** The machine that shows this window and the one that runs the store tell different times. */
export const clockSkew: Finder = ({ now, windowNow, reaper }) => {
  const ahead = windowNow - now;
  // Held because its clock jumped, the engine's differs by decision.
  const isHeld = reaper.holds.some(({ cause }) => cause.startsWith('clock'));
  if (Math.abs(ahead) < LEAST_MS || isHeld) return [];
  return [
    {
      id: 'skew',
      severity: 'note',
      icon: 'skew',
      collection: null,
      title: `This machine’s clock is ${formatDuration(ahead)} ${ahead > 0 ? 'ahead' : 'behind'}`,
      sentence: 'Countdowns and deadlines follow the store’s clock, which the top bar shows.',
      todo: 'Set one of the two right.',
      fixes: [{ label: 'Show the store’s lag', href: toHealth() }],
      weight: Math.abs(ahead),
    },
  ];
};
