import { t } from '@lingui/core/macro';
import type {
  ByHorizon,
  FieldCandidate,
  NeverReasonCount,
  Preview,
} from '../../../../shared/contract/ttl-indexes.ts';
import { formatReason as formatNeverReason } from '../../../components/status/never-reason.ts';
import { formatCount, formatDuration, formatFixed } from '../../../i18n/format.ts';

export interface HorizonRow {
  id: keyof ByHorizon;
  label: string;
  count: number;
  bytes: number;
  /** Share of all documents, 0 to 1. */
  share: number;
  /** Share of the largest row, 0 to 1. */
  length: number;
}

const HORIZONS: readonly [keyof ByHorizon, string][] = [
  ['dueAtOnce', t`At once`],
  ['nextHour', t`Next hour`],
  ['nextDay', t`Next day`],
  ['nextWeek', t`Next week`],
  ['later', t`Later`],
  ['never', t`Never`],
];

function countsOf(preview: Preview): ByHorizon {
  return {
    dueAtOnce: preview.dueAtOnce,
    nextHour: preview.nextHour,
    nextDay: preview.nextDay,
    nextWeek: preview.nextWeek,
    later: preview.later,
    never: preview.never.count,
  };
}

/** Returns the number of documents that expire after the forecast ends. */
export function afterForecast({ nextHour, nextDay, nextWeek, later, forecast }: Preview): number {
  const forecastDue = forecast.due.reduce((sum, count) => sum + count, 0);
  return Math.max(0, nextHour + nextDay + nextWeek + later - forecastDue);
}

/** One row per horizon; their sum is all documents of the collection [X3]. */
export function horizonRows(preview: Preview): HorizonRow[] {
  const counts = countsOf(preview);
  const largest = Math.max(1, ...Object.values(counts));
  return HORIZONS.map(([id, label]) => ({
    id,
    label,
    count: counts[id],
    bytes: preview.bytes[id],
    share: preview.documents === 0 ? 0 : counts[id] / preview.documents,
    length: counts[id] / largest,
  }));
}

/** Formats a share: `17.9 %`, `< 0.1 %`, `0 %`; 0 % and 100 % only if exact. */
export function formatShare(share: number): string {
  if (share === 0 || share === 1) return `${share * 100} %`;
  if (share < 0.001) return `< ${formatFixed(0.1, 1)} %`;
  if (share > 0.999) return `> ${formatFixed(99.9, 1)} %`;
  return `${formatFixed(share * 100, 1)} %`;
}

const REASONS: Record<NeverReasonCount['reason'], (count: string, field: string) => string> = {
  'missing field': (count, field) => t`${count} have no ${field}`,
  'not a date': count => t`${count} hold text that is not a date`,
  'wrong type': count => t`${count} hold neither date nor number`,
  'not finite': count => t`${count} hold no finite number`,
  'out of range': count => t`${count} are outside the years 1970 to 9999`,
  'wrong unit suspected': count => t`${count} look like the other unit`,
  'expression error': count => t`the expression fails for ${count}`,
  'set by hand': count => t`${count} have an expiration set by hand`,
  pinned: count => t`${count} are pinned by hand`,
  'no TTL index': count => t`${count} have no other TTL index`,
  'expression gave null': count => t`the expression gives null for ${count}`,
  'not a duration': count => t`${count} hold no duration of their own`,
  quarantined: count => t`${count} are quarantined`,
};

/** Returns `2,418 have no ts`; for an expression or an action, with its first error. */
export function formatReason({ reason, count, message }: NeverReasonCount, field: string): string {
  const text = REASONS[reason](formatCount(count), field);
  return message === undefined ? text : t`${text}: ${message}`;
}

/** Returns the reason why a sample never expires: `never, not a date`. */
export function sampleReason(reason: NeverReasonCount['reason'], field: string): string {
  return reason === 'missing field' ? t`never, no ${field}` : t`never, ${formatNeverReason(reason)}`;
}

const countOf = (preview: Preview, reason: NeverReasonCount['reason']): number =>
  preview.never.reasons.find(found => found.reason === reason)?.count ?? 0;

/** Returns the number of values that are only plausible in the other unit, and the number of all values [D4]. */
export function otherUnit(preview: Preview): { values: number; of: number } {
  return {
    values: countOf(preview, 'wrong unit suspected'),
    of: valueCount(preview),
  };
}

/** Returns the number of documents with a value to read. */
export function valueCount(preview: Preview): number {
  return preview.documents - countOf(preview, 'missing field');
}

/**
 * Returns whether the form requires the format of text: only if text was found in the field, or the field was not read.
 */
export function hasText(candidate: FieldCandidate | undefined, preview: Preview | null): boolean {
  if (candidate !== undefined) return candidate.types.includes('text') || candidate.offers.length > 0;
  return preview !== null && preview.unreadable.count > 0;
}

/** Returns whether the form requires the unit of numbers: not if no number was found in the field. */
export function hasNumbers(candidate: FieldCandidate | undefined, preview: Preview | null): boolean {
  if (candidate === undefined || candidate.types.includes('number')) return true;
  return preview !== null && otherUnit(preview).values > 0;
}

/** Returns whether no document has the field: the path may be misspelt. */
export function isFieldUnknown(preview: Preview): boolean {
  return preview.documents > 0 && countOf(preview, 'missing field') === preview.documents;
}

/** Formats the time that a removal takes: `about 54 ms`. */
export function formatDrain(ms: number): string {
  return ms < 1 ? t`under 1 ms` : t`about ${formatDuration(ms)}`;
}
