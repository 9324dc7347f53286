import { formatCount } from '../../../shared/model/format.ts';
import { client, problemOf } from '../../api.ts';
import { showToast } from '../../components/toast-store.ts';

interface Scope {
  collection: string;
  index: string;
}

/** Does it, and says what happened where that is not to be seen in the list. */
async function attempt(failure: string, action: () => Promise<string | null>): Promise<void> {
  try {
    const done = await action();
    if (done !== null) showToast({ kind: 'good', title: done });
  } catch (error) {
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title: failure, detail: message, code });
  }
}

export function pauseIndex(scope: Scope): Promise<void> {
  return attempt(`${scope.index} not paused`, async () => {
    await client.reaper.pause(scope);
    return null;
  });
}

export function resumeIndex(scope: Scope): Promise<void> {
  return attempt(`${scope.index} not resumed`, async () => {
    await client.reaper.resume(scope);
    return null;
  });
}

export function runIndex(scope: Scope): Promise<void> {
  return attempt(`No pass of ${scope.index}`, async () => {
    const { removed } = await client.reaper.run(scope);
    return removed === 0
      ? `Nothing of ${scope.index} was due`
      : `${formatCount(removed)} removed by ${scope.index}`;
  });
}

export function cancelBuild(index: string, job: string): Promise<void> {
  return attempt(`Build of ${index} not cancelled`, async () => {
    await client.jobs.cancel({ job });
    return null;
  });
}
