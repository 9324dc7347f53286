import type { Pass } from '../../../../shared/contract/reaper.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import type { IconName } from '../../../components/controls/Icon.tsx';
import { formatCount } from '../../../i18n/format.ts';

type Ending = Pass['ending'];

export const TRIGGER_LABEL: Readonly<Record<Pass['trigger'], string>> = {
  deadline: 'deadline',
  interval: 'interval',
  cron: 'schedule',
  manual: 'manual',
  start: 'store opened',
};

interface EndingStyle {
  word: string;
  icon: IconName;
  className: string;
  /** Explanation shown in the details. */
  meaning: string;
}

const ENDING: Readonly<Record<Ending, EndingStyle>> = {
  drained: { word: 'Drained', icon: 'check', className: 't-2', meaning: 'No due document is left.' },
  limit: {
    word: 'Limit reached',
    icon: 'filter',
    className: 'c-soon',
    meaning: 'A rate limit or a cap ended it. The next pass continues.',
  },
  paused: { word: 'Paused', icon: 'paused', className: 'c-paused', meaning: 'A pause ended it.' },
  held: {
    word: 'Held',
    icon: 'held',
    className: 't-semi',
    meaning: 'A hold ended it. Removal continues after confirmation.',
  },
  error: { word: 'Error', icon: 'err', className: 'c-overdue', meaning: 'It failed. The reaper retries.' },
  stopped: {
    word: 'Stopped',
    icon: 'warn',
    className: 'c-soon',
    meaning: 'The engine stopped before the pass ended. The next pass continued.',
  },
};

const RUNNING: EndingStyle = {
  word: 'Running',
  icon: 'running',
  className: 'c-ok',
  meaning: 'The pass is running.',
};

/** A running pass is stored as `stopped`, like one whose process died, until it ends. */
export function endingOf({ ending }: Pass, isReaperActive: boolean): EndingStyle {
  return ending === 'stopped' && isReaperActive ? RUNNING : ENDING[ending];
}

export const ENDING_CHOICES = Object.entries(ENDING).map(([value, { word }]) => ({ value, label: word }));

/** Name of the index that acted; null: an explicit expiration. */
export function formatIndexName(index: string): string {
  return index === EXPLICIT ? 'set by hand' : index;
}

/** Returns `12 removed, 3 changed, 1 quarantined`. */
export function formatPassResult({ removed, changed, quarantined }: Pass): string {
  const parts = [
    removed > 0 && `${formatCount(removed)} removed`,
    changed > 0 && `${formatCount(changed)} changed`,
    quarantined > 0 && `${formatCount(quarantined)} quarantined`,
  ].filter(part => part !== false);
  return parts.length === 0 ? 'No document changed' : parts.join(', ');
}
