import { t } from '@lingui/core/macro';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import type { Selected } from '../../../components/data-grid/grid-selection.ts';
import { parseTypedDuration } from '../../../i18n/typed-duration.ts';

export type OnConflict = 'skip' | 'replace' | 'newId';

/** Restored documents get a new expiration, because their own deadline has passed. */
export interface RestoreDraft {
  kind: 'never' | 'after' | 'at';
  after: string;
  at: number | null;
}

const HOUR_MS = 3_600_000;

export function restoreDraft(now: number): RestoreDraft {
  return { kind: 'never', after: '7d', at: Math.ceil((now + HOUR_MS) / 60_000) * 60_000 };
}

export function readRestoreDraft(
  draft: RestoreDraft,
  now: number,
): { expiration: ExpirationSetting } | { problem: string } {
  switch (draft.kind) {
    case 'never':
      return { expiration: { never: true } };
    case 'after': {
      const parsed = parseTypedDuration(draft.after);
      if ('problem' in parsed) return parsed;
      if (parsed.seconds === 0) return { problem: t`After 0 s they would expire at once.` };
      return { expiration: { after: parsed.seconds } };
    }
    case 'at':
      if (draft.at === null) return { problem: t`Enter a date and a time.` };
      if (draft.at <= now) return { problem: t`This time has passed: they would expire at once.` };
      return { expiration: { at: draft.at } };
  }
}

/** The document now stored under the `_id` of an entry. */
export interface StoredDocument {
  updatedAt: number;
}

/**
 * Whether a restore would replace a document written since. A document that the action changed in place does not count,
 * unless it was written afterwards.
 */
export function isTaken({ action, removedAt }: ExpiredEntry, holder: StoredDocument | null): boolean {
  if (holder === null) return false;
  const isInPlace = action === 'patch' || action === 'replace';
  return !(isInPlace && holder.updatedAt === removedAt);
}

/** Returns how many entries will be restored, as far as conflicts are known. */
export function restoredCount(
  entries: readonly ExpiredEntry[],
  taken: ReadonlySet<string>,
  onConflict: OnConflict,
  choices: Readonly<Record<string, OnConflict>>,
): number {
  return entries.filter(({ id }) => !taken.has(id) || (choices[id] ?? onConflict) !== 'skip').length;
}

export interface Failure {
  code: string;
  message: string;
}

/** Short reason for a table cell; its title has the full message. */
export function formatFailure({ code, message }: Failure): string {
  if (code === 'DOCUMENT_EXISTS') return t`_id is in use`;
  return code === 'EXPIRED_NOT_FOUND' ? t`copy no longer kept` : message;
}

/**
 * Returns the failures of a restore by entry id. The engine reports failures by `_id`. Of several entries with one
 * `_id` the latest is restored, so failures are assigned to the earliest entries first.
 */
export function failedEntries(selected: Selected<ExpiredEntry>, job: Job): ReadonlyMap<string, Failure> {
  const reasons = Map.groupBy(job.failed ?? [], ({ _id }) => _id);
  const failures = new Map<string, Failure>();
  const earliestFirst = [...selected.values()].sort((a, b) => Number(a.id) - Number(b.id));
  for (const entry of earliestFirst) {
    const failure = reasons.get(entry._id)?.shift();
    if (failure !== undefined) failures.set(entry.id, { code: failure.code, message: failure.message });
  }
  return failures;
}
