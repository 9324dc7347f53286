import { useCallback, useMemo, useState } from 'react';
import { canRetry, type Failure, isGone } from './applyEdits.ts';
import type { StagedEdits } from './stagedStore.ts';
import { type Staged, unstage } from './staging.ts';
import { type Apply, useApply } from './useApply.ts';
import type { Selection } from './useSelection.ts';

export interface AppliedStaged extends Apply {
  /** Why a document was not changed, by `_id`. */
  reasons: ReadonlyMap<string, string>;
  failed: readonly Failure[];
  /** Of the last run. */
  total: number;
  apply: () => void;
  retry: () => void;
  forget: () => void;
}

/** Writes what is staged. What was written is no longer staged; what failed and is still there stays chosen, with its reason. */
export function useApplyStaged(collection: string, edits: StagedEdits, selection: Selection): AppliedStaged {
  const writing = useApply(collection);
  const [failed, setFailed] = useState<readonly Failure[]>([]);
  const reasons = useMemo(() => new Map(failed.map(({ _id, message }) => [_id, message])), [failed]);
  const { run, dismiss } = writing;

  const write = useCallback(
    async (staged: Staged) => {
      setFailed([]);
      const result = await run(staged);
      setFailed(result.failed);
      const hopeless = result.failed.filter(failure => !canRetry(failure)).map(({ _id }) => _id);
      edits.settle(current => unstage(current, [...result.succeeded, ...hopeless]));
      selection.set(
        new Map(
          result.failed.flatMap(failure => {
            const { _id } = failure;
            const edit = staged.get(_id);
            return edit === undefined || isGone(failure) ? [] : [[_id, edit.before] as const];
          }),
        ),
      );
    },
    [run, edits, selection],
  );
  const apply = useCallback(() => void write(edits.staged), [write, edits.staged]);
  const forget = useCallback(() => {
    setFailed([]);
    dismiss();
  }, [dismiss]);
  const total = writing.state.is === 'idle' ? 0 : writing.state.total;
  return { ...writing, total, reasons, failed, apply, retry: apply, forget };
}
