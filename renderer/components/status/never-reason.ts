import { t } from '@lingui/core/macro';
import type { NeverReason } from '../../../shared/model/reference-time.ts';

const LABELS: Readonly<Partial<Record<string, string>>> = {
  'missing field': t`missing field`,
  'not a date': t`not a date`,
  'wrong type': t`wrong type`,
  'not finite': t`not finite`,
  'out of range': t`out of range`,
  'wrong unit suspected': t`wrong unit suspected`,
  'expression error': t`expression error`,
  'set by hand': t`set by hand`,
  pinned: t`pinned`,
  'no TTL index': t`no TTL index`,
  'expression gave null': t`expression returned null`,
  'not a duration': t`not a duration`,
  quarantined: t`quarantined`,
} satisfies Record<NeverReason, string>;

/**
 * Returns the reason why a document has no deadline [X1], in the language of the window. A reason of another version
 * stays as it is.
 */
export const formatReason = (reason: string): string => LABELS[reason] ?? reason;
