/** How long removing `overdue` documents takes at `rate` a second; null: no drain was measured yet [M1]. */
export function timeToDrainMs(overdue: number, rate: number | null): number | null {
  if (overdue === 0) return 0;
  return rate === null ? null : (overdue / rate) * 1000;
}
