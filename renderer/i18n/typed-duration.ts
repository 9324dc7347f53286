import { t } from '@lingui/core/macro';
import { type DurationSentences, type ParsedDuration, parseDuration } from '../../shared/model/duration.ts';

const SENTENCES: DurationSentences = {
  howTo: t`Write it like 90d, 1h 30m or 45 s.`,
  empty: howTo => t`A duration is needed. ${howTo}`,
  noUnit: number => t`${number} of what? Add a unit: ${number}s, ${number}m, ${number}h or ${number}d.`,
  negative: t`A duration cannot be negative.`,
  notADuration: (text, howTo) => t`“${text}” is not a duration. ${howTo}`,
  notAUnit: name => t`“${name}” is not a unit of time. Use y, w, d, h, m, s or ms.`,
  usedTwice: (unit, howTo) => t`“${unit}” is used twice. ${howTo}`,
  tooLong: t`At most 100 years.`,
};

/**
 * Parses a typed duration. Units are English in every language; a problem is reported in the language of the window.
 */
export const parseTypedDuration = (text: string): ParsedDuration => parseDuration(text, SENTENCES);
