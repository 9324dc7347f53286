import type { Pass } from '../../../../shared/contract/reaper.ts';
import { formatCount } from '../../../../shared/model/format.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import type { IconName } from '../../../components/controls/Icon.tsx';

type Ending = Pass['ending'];

export const TRIGGER_WORD: Readonly<Record<Pass['trigger'], string>> = {
  deadline: 'a deadline',
  interval: 'its interval',
  cron: 'its schedule',
  manual: 'by hand',
  start: 'the opening',
};

interface EndingLook {
  word: string;
  icon: IconName;
  className: string;
  /** What it means, for the details. */
  meaning: string;
}

const ENDING: Readonly<Record<Ending, EndingLook>> = {
  drained: { word: 'Drained', icon: 'check', className: 't-2', meaning: 'Nothing that was due is left.' },
  limit: {
    word: 'Limit reached',
    icon: 'filter',
    className: 'c-soon',
    meaning: 'A rate or a cap ended it; more is due, and the next pass goes on.',
  },
  paused: { word: 'Paused', icon: 'paused', className: 'c-paused', meaning: 'A pause ended it.' },
  held: {
    word: 'Held',
    icon: 'held',
    className: 't-semi',
    meaning: 'A hold ended it; it waits for a person.',
  },
  error: { word: 'Error', icon: 'err', className: 'c-overdue', meaning: 'It failed, and is tried again.' },
  stopped: {
    word: 'Stopped',
    icon: 'warn',
    className: 'c-soon',
    meaning: 'The engine ended before everything due was gone; the next pass went on.',
  },
};

const RUNNING: EndingLook = {
  word: 'Running',
  icon: 'running',
  className: 'c-ok',
  meaning: 'It is under way.',
};

/** A pass under way is written like one whose process died, until it is over. */
export function lookOf({ ending }: Pass, isReaperActive: boolean): EndingLook {
  return ending === 'stopped' && isReaperActive ? RUNNING : ENDING[ending];
}

export const ENDING_CHOICES = Object.entries(ENDING).map(([value, { word }]) => ({ value, label: word }));

/** The rule that acted, as people call it. */
export function ruleName(index: string): string {
  return index === EXPLICIT ? 'set by hand' : index;
}

/** `12 removed, 3 changed, 1 quarantined`, or that there was nothing. */
export function passDone({ removed, changed, quarantined }: Pass): string {
  const parts = [
    removed > 0 && `${formatCount(removed)} removed`,
    changed > 0 && `${formatCount(changed)} changed`,
    quarantined > 0 && `${formatCount(quarantined)} quarantined`,
  ].filter(part => part !== false);
  return parts.length === 0 ? 'Nothing was done' : parts.join(', ');
}
