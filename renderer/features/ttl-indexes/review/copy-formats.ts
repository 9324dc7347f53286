import { t } from '@lingui/core/macro';
import type { ReadBack } from '../../../../shared/contract/ttl-indexes.ts';

export const COPY_FORMS = [
  { value: 'rest', label: 'REST' },
  { value: 'cli', label: t`Command line` },
  { value: 'cockroachdb', label: 'CockroachDB' },
  { value: 'mongodb', label: 'MongoDB' },
  { value: 'arangodb', label: 'ArangoDB' },
] as const;

/** The definition for the command line and other systems. */
export type Elsewhere = Partial<Pick<ReadBack, 'cli' | 'cockroachdb' | 'mongodb' | 'arangodb'>>;

export type CopyForm = (typeof COPY_FORMS)[number]['value'];

/** Returns the format that a URL names; REST if it is unknown. */
export function copyForm(text: string | null): CopyForm {
  return COPY_FORMS.find(({ value }) => value === text)?.value ?? 'rest';
}

/** Returns the statement, or the reason why none exists; with both, the reason states what the statement leaves out. */
export function formatCopy(
  form: Exclude<CopyForm, 'rest'>,
  elsewhere: Elsewhere,
): { statement: string | null; reason: string | null } {
  const { [form]: found } = elsewhere;
  if (found === undefined) return { statement: null, reason: null };
  return typeof found === 'string' ? { statement: found, reason: null } : found;
}
