import { useCallback, useMemo, useState } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import type { GridSelection } from '../../../components/data-grid/use-grid-selection.ts';
import { now } from '../../../components/time/clock.ts';
import { canRetry, type Failure, isRemoved } from './apply-edits.ts';
import { type Staged, type StagedEdit, unstage } from './staged-edits.ts';
import type { StagedEdits } from './staged-store.ts';
import { type Apply, useApply } from './use-apply.ts';

export interface Written {
  edits: readonly StagedEdit[];
  at: number;
  elapsedMs: number;
  /** Jobs whose deadlines the engine can set back. */
  jobs?: readonly string[];
}

export const NOTHING_WRITTEN: Written = { edits: [], at: 0, elapsedMs: 0 };

export interface AppliedStaged extends Apply {
  /** Failure messages by `_id`. */
  reasons: ReadonlyMap<string, string>;
  failed: readonly Failure[];
  /** Number of documents in the last run. */
  total: number;
  apply: () => void;
  retry: () => void;
  forget: () => void;
  /** Writes edits that revert the last run; the revert itself can be applied again. */
  revert: (former: Staged) => void;
  /** Edits written by this run and by the runs it retries. */
  written: Written;
  /** Shows the result of a run before a reload, so that it can be undone. */
  restore: (written: Written) => void;
}

/**
 * Writes staged edits. Written ones are unstaged; failed ones that can be retried stay selected, with their message.
 */
export function useApplyStaged(
  collection: string,
  edits: StagedEdits,
  selection: GridSelection<DocumentRecord>,
): AppliedStaged {
  const writing = useApply(collection);
  const [failed, setFailed] = useState<readonly Failure[]>([]);
  const [written, setWritten] = useState(NOTHING_WRITTEN);
  const reasons = useMemo(() => new Map(failed.map(({ _id, message }) => [_id, message])), [failed]);
  const { run, dismiss, show } = writing;

  const write = useCallback(
    async (staged: Staged) => {
      setFailed([]);
      const at = now();
      const result = await run(staged);
      const done = result.succeeded.flatMap(id => staged.get(id) ?? []);
      // A retry continues the previous run: undo reverts both.
      setWritten(before => ({
        edits: [...before.edits, ...done],
        at,
        elapsedMs: result.elapsedMs,
        jobs: [...(before.jobs ?? []), ...(result.jobs ?? [])],
      }));
      setFailed(result.failed);
      const unretriable = result.failed.filter(failure => !canRetry(failure)).map(({ _id }) => _id);
      edits.settle(current => unstage(current, [...result.succeeded, ...unretriable]));
      selection.set(
        new Map(
          result.failed.flatMap(failure => {
            const { _id } = failure;
            const edit = staged.get(_id);
            return edit === undefined || isRemoved(failure) ? [] : [[_id, edit.before] as const];
          }),
        ),
      );
    },
    [run, edits, selection],
  );
  const apply = useCallback(() => void write(edits.staged), [write, edits.staged]);
  const forget = useCallback(() => {
    setFailed([]);
    setWritten(NOTHING_WRITTEN);
    dismiss();
  }, [dismiss]);
  const revert = useCallback(
    (former: Staged) => {
      setWritten(NOTHING_WRITTEN);
      void write(former);
    },
    [write],
  );
  const restore = useCallback(
    (before: Written) => {
      setWritten(before);
      const succeeded = before.edits.map(({ before: { _id } }) => _id);
      show({ succeeded, failed: [], left: 0, elapsedMs: before.elapsedMs, error: null });
    },
    [show],
  );
  const total = writing.state.is === 'idle' ? 0 : writing.state.total;
  return { ...writing, total, reasons, failed, apply, retry: apply, forget, revert, written, restore };
}
