/** Late by less is the reaper at work, not a state: told in ink, not in alarm. */
const AT_WORK_MS = 5_000;
/** Of passes that come at an interval, the one before its deadline and the one after. */
const PASSES = 2;

export interface Lateness {
  oldestOverdueAt: number | null;
  /** Between two passes; null: at each deadline. */
  passEveryMs: number | null;
}

/** Whether the oldest overdue document has waited for longer than a reaper that keeps up lets it. */
export function isLate({ oldestOverdueAt, passEveryMs }: Lateness, now: number): boolean {
  if (oldestOverdueAt === null) return false;
  return now - oldestOverdueAt > Math.max(AT_WORK_MS, PASSES * (passEveryMs ?? 0));
}
