import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { parseDuration } from '../../../../shared/model/duration.ts';
import type { Selected } from '../../../components/data-grid/grid-selection.ts';

export type OnConflict = 'skip' | 'replace' | 'newId';

/** What is brought back gets an expiration: of its own it would be due at once. */
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
      const parsed = parseDuration(draft.after);
      if ('problem' in parsed) return parsed;
      if (parsed.seconds === 0) return { problem: 'After 0 s they would leave at once.' };
      return { expiration: { after: parsed.seconds } };
    }
    case 'at':
      if (draft.at === null) return { problem: 'A date and a time are needed.' };
      if (draft.at <= now) return { problem: 'This moment has passed: they would leave at once.' };
      return { expiration: { at: draft.at } };
  }
}

/** Who is there now under the `_id` of an entry, and since when it is as it is. */
export interface Holder {
  updatedAt: number;
}

/**
 * Whether to bring an entry back would meet a document written since. One that an action changed in place and nobody
 * touched afterwards is only put back as it was.
 */
export function isTaken({ action, removedAt }: ExpiredEntry, holder: Holder | null): boolean {
  if (holder === null) return false;
  const stayed = action === 'patch' || action === 'replace';
  return !(stayed && holder.updatedAt === removedAt);
}

/** How many will come back, as far as is known before. */
export function comingBack(
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

/** Why one did not come back, as short as a cell takes; its title says it in full. */
export function failureWord({ code, message }: Failure): string {
  if (code === 'DOCUMENT_EXISTS') return '_id is taken';
  return code === 'EXPIRED_NOT_FOUND' ? 'no copy is left' : message;
}

/**
 * Which of the chosen did not come back, by their entry's id. The engine names documents: of several entries under one
 * `_id` the latest comes back where others are skipped, so failures belong to the earlier ones first.
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
