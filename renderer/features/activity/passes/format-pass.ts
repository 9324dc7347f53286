import { t } from '@lingui/core/macro';
import type { Pass } from '../../../../shared/contract/reaper.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import type { IconName } from '../../../components/controls/Icon.tsx';
import { formatCount } from '../../../i18n/format.ts';

type Ending = Pass['ending'];

export const TRIGGER_LABEL: Readonly<Record<Pass['trigger'], string>> = {
  deadline: t`deadline`,
  interval: t`interval`,
  cron: t`schedule`,
  manual: t`manual`,
  start: t`store opened`,
};

interface EndingStyle {
  word: string;
  icon: IconName;
  className: string;
  /** Explanation shown in the details. */
  meaning: string;
}

const ENDING: Readonly<Record<Ending, EndingStyle>> = {
  drained: { word: t`Drained`, icon: 'check', className: 't-2', meaning: t`No due document is left.` },
  limit: {
    word: t`Limit reached`,
    icon: 'filter',
    className: 'c-soon',
    meaning: t`A rate limit or a cap ended it. The next pass continues.`,
  },
  paused: { word: t`Paused`, icon: 'paused', className: 'c-paused', meaning: t`A pause ended it.` },
  held: {
    word: t`Held`,
    icon: 'held',
    className: 't-semi',
    meaning: t`A hold ended it. Removal continues after confirmation.`,
  },
  error: { word: t`Error`, icon: 'err', className: 'c-overdue', meaning: t`It failed. The reaper retries.` },
  stopped: {
    word: t`Stopped`,
    icon: 'warn',
    className: 'c-soon',
    meaning: t`The engine stopped before the pass ended. The next pass continued.`,
  },
};

const RUNNING: EndingStyle = {
  word: t`Running`,
  icon: 'running',
  className: 'c-ok',
  meaning: t`The pass is running.`,
};

/** A running pass is stored as `stopped` until it ends, like one whose process ended. */
export function endingOf({ ending }: Pass, isReaperActive: boolean): EndingStyle {
  return ending === 'stopped' && isReaperActive ? RUNNING : ENDING[ending];
}

export const ENDING_CHOICES = Object.entries(ENDING).map(([value, { word }]) => ({ value, label: word }));

/** Name of the index that acted; null: an explicit expiration. */
export function formatIndexName(index: string): string {
  return index === EXPLICIT ? t`set by hand` : index;
}

/** Returns `12 removed, 3 changed, 1 quarantined`. */
export function formatPassResult({ removed, changed, quarantined }: Pass): string {
  const parts = [
    removed > 0 && t`${formatCount(removed)} removed`,
    changed > 0 && t`${formatCount(changed)} changed`,
    quarantined > 0 && t`${formatCount(quarantined)} quarantined`,
  ].filter(part => part !== false);
  return parts.length === 0 ? t`No document changed` : parts.join(', ');
}
