import { t } from '@lingui/core/macro';
import { useCallback, useRef, useState } from 'react';
import { SOON_MS } from '../../../../shared/model/confirmation-rule.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import {
  client,
  confirmEffect,
  Declined,
  engineNow,
  oneAction,
  problemOf,
  reportRemoval,
} from '../../../api.ts';
import { editBody, editedDeadline } from '../expiration/expiration-edit.ts';
import { type ApplyResult, applyEdits, CHUNK, type Failure } from './apply-edits.ts';
import { groups, type Staged } from './staged-edits.ts';

export type ApplyState =
  | { is: 'idle' }
  | { is: 'writing'; done: number; total: number }
  | { is: 'ended'; result: ApplyResult; total: number };

export interface Apply {
  state: ApplyState;
  run(staged: Staged): Promise<ApplyResult>;
  cancel(): void;
  dismiss(): void;
  /** Shows the result of a run before a reload. */
  show(result: ApplyResult): void;
}

export function useApply(collection: string): Apply {
  const [state, setState] = useState<ApplyState>({ is: 'idle' });
  const abort = useRef(new AbortController());

  const run = useCallback(
    async (staged: Staged) => {
      abort.current = new AbortController();
      const total = staged.size;
      setState({ is: 'writing', done: 0, total });
      const from = engineNow();
      let isEffectConfirmed: boolean;
      try {
        isEffectConfirmed = await confirmLargeGroups(collection, staged);
      } catch (error) {
        const result = { succeeded: [], failed: [], left: total, elapsedMs: 0, error };
        setState(error instanceof Declined ? { is: 'idle' } : { is: 'ended', result, total });
        return result;
      }
      const { documents } = oneAction({ isEffectConfirmed });
      // One instant for all chunks: documents that get the same duration expire together.
      const countFrom = engineNow();
      const result = await applyEdits(staged, {
        write: chunk => documents.setExpirations({ collection, countFrom, ...chunk }),
        refusalOf: expirationRefusal,
        signal: abort.current.signal,
        onProgress: done => setState({ is: 'writing', done, total }),
        elapsed: () => performance.now(),
      });
      for (const { edit } of groups(staged)) {
        const dueAt = editedDeadline(edit, from);
        if (typeof dueAt === 'number' && dueAt < from + SOON_MS)
          reportRemoval({ collection, cause: 'expired', index: EXPLICIT, from, dueAt, isCertain: true });
      }
      setState(result.error instanceof Declined ? { is: 'idle' } : { is: 'ended', result, total });
      return result;
    },
    [collection],
  );
  const cancel = useCallback(() => abort.current.abort(), []);
  const dismiss = useCallback(() => setState({ is: 'idle' }), []);
  const show = useCallback(
    (result: ApplyResult) => setState({ is: 'ended', result, total: result.succeeded.length }),
    [],
  );
  return { state, run, cancel, dismiss, show };
}

/**
 * Requests the confirmation of edits that make many documents due [R8]; needed because the engine receives them in
 * chunks. Returns whether there were any. Throws `Declined`.
 */
async function confirmLargeGroups(collection: string, staged: Staged): Promise<boolean> {
  let isConfirmed = false;
  for (const { edit, edits } of groups(staged)) {
    if (edits.length <= CHUNK) continue;
    const change = { collection, ids: edits.map(({ before }) => before._id), ...editBody(edit) };
    const effect = await client.documents.previewExpirations(change);
    if (!effect.needsConfirmation) continue;
    await confirmEffect({ effect, path: ['documents', 'setExpirations'], input: change });
    isConfirmed = true;
  }
  return isConfirmed;
}

/** Replaces the engine's message, which names an argument of the call. */
function expirationRefusal(error: unknown): Pick<Failure, 'code' | 'message'> | null {
  const { code, message, data } = problemOf(error);
  if (code !== 'INVALID_EXPIRATION') return null;
  const { at, now } = data;
  const hasPassed = typeof at === 'number' && typeof now === 'number' && at <= now;
  return { code, message: hasPassed ? t`This time has passed. Choose a later one.` : message };
}
