/** Late by less is the reaper at work, not a state: told in ink, not in alarm. */
const AT_WORK_MS = 5_000;

export interface Lateness {
  /** When the reaper was to act on what is overdue, epoch ms; null: nothing is. */
  actionDueAt: number | null;
}

/** Returns whether the reaper is later than one that keeps up: what waits for the next look of a schedule is not late [R1]. */
export function isLate({ actionDueAt }: Lateness, now: number): boolean {
  return actionDueAt !== null && now - actionDueAt > AT_WORK_MS;
}
