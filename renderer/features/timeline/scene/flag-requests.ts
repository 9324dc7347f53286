import { t } from '@lingui/core/macro';
import { wallClock, type Zone } from '../../../../shared/model/zone.ts';
import type { FlagRequest } from '../../../components/canvas-chart/labels.ts';
import type { View } from '../../../components/canvas-chart/plot.ts';
import {
  formatCount,
  formatDate,
  formatHourMinute,
  formatInstant,
  formatTime,
} from '../../../i18n/format.ts';
import type { Slots } from '../model/buckets.ts';
import type { Cliff } from '../model/timeline-model.ts';
import type { DrawnBar } from './bar-scene.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** A cliff with a smaller share of its bucket gets no flag; it is shown on hover. */
const CLIFF_SHARE = 0.25;
/** From the middle of a flag's text down to its bar, CSS pixels. */
const FLAG_ABOVE_BAR = 9;

interface Around {
  readonly now: number;
  readonly zone: Zone;
  readonly slots: Slots;
  readonly view: View;
}

/** Returns the bars to be labelled, and their text. */
export function flagRequests(drawn: readonly DrawnBar[], { now, zone, slots, view }: Around): FlagRequest[] {
  const when = (cliff: Cliff) => {
    // If the axis spans days, the time alone is ambiguous, also today's.
    if (view.span > DAY) {
      const isThisYear = wallClock(cliff.at, zone).year === wallClock(now, zone).year;
      return isThisYear
        ? t` at ${formatDate(cliff.at, zone)} ${formatHourMinute(cliff.at, zone)}`
        : t` on ${formatInstant(cliff.at, now, zone)}`;
    }
    const seconds = slots.bucketMs < MINUTE || cliff.at % MINUTE !== 0;
    const time = seconds ? formatTime(cliff.at, zone) : formatHourMinute(cliff.at, zone);
    return t` at ${time}`;
  };
  return drawn.flatMap(({ slot, count: shown, flagX, top, torn }) => {
    const cliff = slot.cliff !== null && slot.cliff.count >= slot.total * CLIFF_SHARE ? slot.cliff : null;
    if (!torn && cliff === null) return [];
    const count = cliff?.count ?? shown;
    const rest = cliff === null ? '' : when(cliff);
    return [{ x: flagX, y: top - FLAG_ABOVE_BAR, count, strong: formatCount(count), rest }];
  });
}
