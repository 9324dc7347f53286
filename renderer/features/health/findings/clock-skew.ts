import { formatDuration } from '../../../../shared/model/format.ts';
import { toHealth } from '../../../components/navigation/location.ts';
import type { Finder } from './finding.ts';

/** Smaller differences are the delay of the connection, ms. */
const LEAST_MS = 1_000;

/** The clock of this machine differs from the clock of the store's machine. */
export const clockSkew: Finder = ({ now, windowNow, reaper }) => {
  const ahead = windowNow - now;
  // Held after a clock jump, the engine keeps a different time until it is confirmed.
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
      todo: 'Correct one of the two clocks.',
      fixes: [{ label: 'Show the store’s lag', href: toHealth() }],
      weight: Math.abs(ahead),
    },
  ];
};
