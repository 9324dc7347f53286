import { t } from '@lingui/core/macro';
import { toSettings } from '../../../components/navigation/location.ts';
import { formatBytes } from '../../../i18n/format.ts';
import type { Finder } from './finding.ts';
import { formatPercent } from './format-finding.ts';

const NEAR = 0.9;

/**
 * Storage close to its limit, beyond which the oldest data is removed early: restorable copies [X4] and the change log
 * [V3].
 */
export const nearLimit: Finder = ({ space, settings }) => {
  if (space === null) return [];
  const kept = [
    {
      id: 'room/retained',
      used: space.retainedBytes,
      cap: settings.retentionBytes,
      title: t`Restorable copies are near their limit`,
      beyond: t`Above it, the oldest copies are released before their retention ends.`,
    },
    {
      id: 'room/log',
      used: space.logBytes,
      cap: settings.logBytes,
      title: t`The change log is near its limit`,
      beyond: t`Above it, watchers and followers that fall behind must start over.`,
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
      sentence: t`${formatBytes(used)} of ${formatBytes(cap)} used, ${formatPercent(used / cap)}.`,
      todo: beyond,
      fixes: [{ label: t`Raise the limit…`, href: toSettings('keeping') }],
      weight: used,
    }));
};
