import { t } from '@lingui/core/macro';
import { client, Declined, problemOf, reportingRemovals } from '../../../api.ts';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { formatCount } from '../../../i18n/format.ts';
import { formatList } from '../../../i18n/sentence.ts';

interface Scope {
  collection: string;
  index: string;
}

/** Runs an action, and reports results that the list does not show. */
async function attempt(failure: string, action: () => Promise<string | null>): Promise<void> {
  try {
    const done = await action();
    if (done !== null) showToast({ kind: 'good', title: done });
  } catch (error) {
    if (error instanceof Declined) return;
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title: failure, detail: message, code });
  }
}

export function pauseIndex(scope: Scope): Promise<void> {
  return attempt(t`${scope.index} not paused`, async () => {
    await client.reaper.pause(scope);
    return null;
  });
}

export function resumeIndex(scope: Scope): Promise<void> {
  return attempt(t`${scope.index} not resumed`, async () => {
    await reportingRemovals(scope, () => client.reaper.resume(scope));
    return null;
  });
}

export function runIndex(scope: Scope): Promise<void> {
  return attempt(t`No pass of ${scope.index}`, async () => {
    const { removed, changed, quarantined } = await reportingRemovals(scope, () => client.reaper.run(scope));
    const done = [
      removed > 0 && t`${formatCount(removed)} removed`,
      changed > 0 && t`${formatCount(changed)} changed`,
      quarantined > 0 && t`${formatCount(quarantined)} quarantined`,
    ].filter(part => part !== false);
    return done.length === 0
      ? t`Nothing of ${scope.index} was due`
      : t`${formatList(done)} by ${scope.index}`;
  });
}

export function cancelBuild(index: string, job: string): Promise<void> {
  return attempt(t`Build of ${index} not cancelled`, async () => {
    await client.jobs.cancel({ job });
    return null;
  });
}

/** Confirms a pending definition [R8]: its hold, or all holds of its collection. */
export function confirmIndex(scope: Scope, hold: string | null): Promise<void> {
  return attempt(t`${scope.index} not confirmed`, async () => {
    const confirmed = hold === null ? { collection: scope.collection } : { hold };
    await reportingRemovals(scope, () => client.reaper.confirm(confirmed));
    return t`${scope.index} is confirmed`;
  });
}
