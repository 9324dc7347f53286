import { t } from '@lingui/core/macro';
import { formatExactDuration } from '../../../../shared/model/duration.ts';
import type { Schedule } from '../../../../shared/model/ttl-index.ts';
import { parseTypedDuration } from '../../../i18n/typed-duration.ts';
import type { IndexDraft, Read } from './index-draft.ts';

const LONGEST_INTERVAL_S = 86_400;

/** The schedule as typed [R1]. */
export function readSchedule({ mode, every, cron, timeZone }: IndexDraft): Read<Schedule> {
  switch (mode) {
    case 'exact':
    case 'observe':
      return { value: { mode } };
    case 'every':
      return readInterval(every);
    case 'cron':
      return cron.trim() === ''
        ? { problems: { cron: t`Enter a cron expression, such as 0 3 * * * for 03:00 each day.` } }
        : { value: { mode, cron: cron.trim(), timeZone: timeZone.trim() === '' ? 'UTC' : timeZone.trim() } };
  }
}

function readInterval(every: string): Read<Schedule> {
  const parsed = parseTypedDuration(every);
  const wrong = (problem: string): Read<Schedule> => ({ problems: { every: problem } });
  if ('problem' in parsed) return wrong(parsed.problem);
  if (parsed.seconds < 0.001) return wrong(t`At least 1 ms. To remove without delay, choose Exact.`);
  if (parsed.seconds > LONGEST_INTERVAL_S) return wrong(t`At most one day.`);
  return { value: { mode: 'every', everyMs: Math.round(parsed.seconds * 1000) } };
}

/** Returns a schedule as typed text. */
export function scheduleTexts(schedule: Schedule): Pick<IndexDraft, 'mode' | 'every' | 'cron' | 'timeZone'> {
  return {
    mode: schedule.mode,
    every: schedule.mode === 'every' ? formatExactDuration(schedule.everyMs / 1000) : '1m',
    cron: schedule.mode === 'cron' ? schedule.cron : '',
    timeZone: schedule.mode === 'cron' ? schedule.timeZone : 'UTC',
  };
}
