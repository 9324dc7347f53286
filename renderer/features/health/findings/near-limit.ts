import { formatBytes } from '../../../../shared/model/format.ts';
import { toSettings } from '../../../components/navigation/location.ts';
import type { Finder } from './finding.ts';
import { percent } from './words.ts';

const NEAR = 0.9;

/** What is let go of early once there is no more room for it: restorable copies [X4], and the change log [V3]. */
export const nearLimit: Finder = ({ space, settings }) => {
  if (space === null) return [];
  const kept = [
    {
      id: 'room/retained',
      used: space.retainedBytes,
      cap: settings.retentionBytes,
      title: 'Restorable copies fill their space',
      beyond: 'Beyond that the oldest can no longer be restored, before their time.',
    },
    {
      id: 'room/log',
      used: space.logBytes,
      cap: settings.logBytes,
      title: 'The change log fills its space',
      beyond: 'Beyond that watchers and followers that fall behind begin anew.',
    },
  ];
  return kept
    .filter(({ used, cap }) => cap > 0 && used >= cap * NEAR)
    .map(({ id, used, cap, title, beyond }) => ({
      id,
      severity: 'note' as const,
      icon: 'file' as const,
      collection: null,
      title,
      sentence: `${formatBytes(used)} of ${formatBytes(cap)} are used, ${percent(used / cap)}.`,
      todo: beyond,
      fixes: [{ label: 'Give it more space…', href: toSettings('keeping') }],
      weight: used,
    }));
};
