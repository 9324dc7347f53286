/** Delay up to which a document is not shown as overdue, ms. */
const NORMAL_DELAY_MS = 5_000;

export interface Lateness {
  /** Time at which the reaper was to act on the first overdue document, epoch ms; null: none. */
  actionDueAt: number | null;
}

/** Returns whether the reaper is behind. Documents that wait for the next run of a schedule are not late [R1]. */
export function isLate({ actionDueAt }: Lateness, now: number): boolean {
  return actionDueAt !== null && now - actionDueAt > NORMAL_DELAY_MS;
}
