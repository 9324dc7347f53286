import { t } from '@lingui/core/macro';
import { toHealth } from '../../../components/navigation/location.ts';
import { formatDuration } from '../../../i18n/format.ts';
import type { Finder } from './finding.ts';

/** Smaller differences are due to the delay of the connection, ms. */
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
      title:
        ahead > 0
          ? t`This machine’s clock is ${formatDuration(ahead)} ahead`
          : t`This machine’s clock is ${formatDuration(ahead)} behind`,
      sentence: t`Countdowns and deadlines follow the store’s clock, which the top bar shows.`,
      todo: t`Correct one of the two clocks.`,
      fixes: [{ label: t`Show the store’s lag`, href: toHealth() }],
      weight: Math.abs(ahead),
    },
  ];
};
