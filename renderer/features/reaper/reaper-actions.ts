import { formatCount } from '../../../shared/model/format.ts';
import { client, problemOf } from '../../api.ts';
import { showToast } from '../../components/toast-store.ts';

/** The whole store, a collection, or one of its indexes. */
export interface ReaperScope {
  collection?: string;
  index?: string;
}

function nameOf({ collection, index }: ReaperScope): string {
  if (collection === undefined) return 'the whole store';
  return index === undefined ? collection : `${collection}.${index}`;
}

async function attempt(title: string, scope: ReaperScope, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title, detail: `${nameOf(scope)}: ${message}`, code });
  }
}

export function pauseReaper(scope: ReaperScope = {}): Promise<void> {
  return attempt('Not paused', scope, async () => {
    await client.reaper.pause(scope);
  });
}

export function resumeReaper(scope: ReaperScope = {}): Promise<void> {
  return attempt('Not resumed', scope, async () => {
    await client.reaper.resume(scope);
  });
}

/** Also where it is paused: a pass by hand is the person's own word. */
export function runPass(scope: ReaperScope = {}): Promise<void> {
  return attempt('No pass was run', scope, async () => {
    const { removed } = await client.reaper.run(scope);
    showToast({
      kind: 'good',
      title: removed === 0 ? 'Nothing was due' : `${formatCount(removed)} removed`,
      detail: `One pass over ${nameOf(scope)}.`,
    });
  });
}
