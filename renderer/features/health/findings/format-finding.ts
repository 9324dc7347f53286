import { t } from '@lingui/core/macro';
import type { ReaperState } from '../../../../shared/contract/reaper.ts';
import { formatCount, formatDecimal } from '../../../i18n/format.ts';

/** `17.9 %`; `100 %` and `0 %` only if exact. */
export function formatPercent(share: number): string {
  if (share <= 0) return '0 %';
  if (share >= 1) return '100 %';
  const percent = Number((share * 100).toFixed(share < 0.1 ? 1 : 0));
  return `${formatDecimal(Math.min(99.9, Math.max(0.1, percent)), 1)} %`;
}

/** `40`, `2.5`, `0.05`: a rate per second. */
export function formatRate(rate: number): string {
  if (rate >= 10) return formatCount(rate);
  return formatDecimal(rate, rate < 0.1 ? 2 : 1);
}

/** Returns the next round number, 1, 2 or 5 times a power of ten, that is at least the value. */
export function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find(factor => factor * power >= value * (1 - 1e-9)) ?? 10;
  return step * power;
}

/** The sentence shown without findings, for one collection or for all. */
export function formatNothingFound(
  collection: string | null,
  reaper: ReaperState['state'] | undefined,
): string {
  const nothing = collection === null ? t`No findings` : t`No findings in ${collection}`;
  if (reaper === 'running') return t`${nothing}: due documents are removed in time.`;
  return reaper === 'off'
    ? t`${nothing}. Due documents are hidden and not removed: this connection is read-only.`
    : `${nothing}.`;
}
