import { t } from '@lingui/core/macro';
import type { Hold } from '../../../shared/contract/reaper.ts';
import { client, Declined, problemOf, reportingRemovals } from '../../api.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { formatCount } from '../../i18n/format.ts';

/** Target of a pause: the whole store, a collection, or one of its indexes. */
export interface ReaperScope {
  collection?: string;
  index?: string;
}

function nameOf({ collection, index }: ReaperScope): string {
  if (collection === undefined) return t`the whole store`;
  return index === undefined ? collection : `${collection}.${index}`;
}

async function attempt(title: string, scope: ReaperScope, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Declined) return;
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title, detail: `${nameOf(scope)}: ${message}`, code });
  }
}

export function pauseReaper(scope: ReaperScope = {}): Promise<void> {
  return attempt(t`Not paused`, scope, async () => {
    await client.reaper.pause(scope);
  });
}

export function resumeReaper(scope: ReaperScope = {}): Promise<void> {
  return attempt(t`Not resumed`, scope, async () => {
    await reportingRemovals(scope, () => client.reaper.resume(scope));
  });
}

/** Ends a hold: the held removals resume [R8, R9, R10]. */
export function confirmHold(hold: Hold): Promise<void> {
  const scope = hold.collection === null ? {} : { collection: hold.collection };
  return attempt(t`Not confirmed`, scope, async () => {
    await reportingRemovals(scope, () => client.reaper.confirm({ hold: hold.id }));
  });
}

/** Runs one manual pass, also while paused. */
export function runPass(scope: ReaperScope = {}): Promise<void> {
  return attempt(t`No pass was run`, scope, async () => {
    const done = formatDone(await reportingRemovals(scope, () => client.reaper.run(scope)));
    showToast({
      kind: 'good',
      title: done === '' ? t`Nothing was due` : done,
      detail: t`One pass over ${nameOf(scope)}.`,
    });
  });
}

/** Returns `3 removed, 2 changed`; empty if nothing was done. */
function formatDone(done: { removed: number; changed: number; quarantined: number }): string {
  const { removed, changed, quarantined } = done;
  return [
    removed > 0 && t`${formatCount(removed)} removed`,
    changed > 0 && t`${formatCount(changed)} changed`,
    quarantined > 0 && t`${formatCount(quarantined)} quarantined`,
  ]
    .filter(part => part !== false)
    .join(', ');
}
