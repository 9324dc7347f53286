import type { Pass, ReaperState } from '../../../shared/contract/reaper.ts';
import type { HistoryQuery, PauseScope } from '../backends/backend.ts';

/** The effect that a person confirmed [R8]. */
export interface ExpectedEffect {
  due: number;
}

/** Result of a pass that a person started. */
export interface RunResult {
  removed: number;
  changed: number;
  quarantined: number;
  passes: Pass[];
}

/** The calls on the reaper, as an engine answers them. An engine that removes by itself rejects with NOT_SUPPORTED. */
export interface ReaperCalls {
  state(): ReaperState;
  pause(scope: PauseScope, by: string): Promise<void>;
  /** Rejects with EXPECTATION_FAILED and the effect unless it is confirmed or small [R8]. */
  resume(scope: PauseScope, options: { by: string; expect: ExpectedEffect | undefined }): Promise<void>;
  /** Starts a pass, and resolves at its end [R6]. Rejects with EXPECTATION_FAILED while the scope is held. */
  run(scope: PauseScope, options: { by: string; expect: ExpectedEffect | undefined }): Promise<RunResult>;
  /** Confirms one hold, those of a collection or, with neither, those of the store [R8, R9, R10]. */
  confirm(
    which: { collection?: string | undefined; hold?: string | undefined },
    options: { by: string; expect: ExpectedEffect | undefined },
  ): Promise<void>;
  /** Latest first. */
  passes(
    query: HistoryQuery & { before?: number | undefined },
  ): Promise<{ passes: Pass[]; next: number | null }>;
}
