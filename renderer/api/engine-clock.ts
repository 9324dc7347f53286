/**
 * Estimates the engine's clock. Each update carries the time at which it was sent; the update with the greatest
 * difference between that time and its arrival had the least delay, and gives the estimate. Between updates the
 * window's monotonic clock is used, which is not adjusted.
 */
const STEP_BACK_MS = 500;
/** Number of consecutive late updates after which the engine's clock is taken to have been set back. */
const LATE_IN_A_ROW = 8;

let ahead = Date.now() - performance.now();
let isKnown = false;
let late = 0;

export function recordEngineTime(engineNow: number): void {
  const sample = engineNow - performance.now();
  const behind = ahead - sample;
  late = behind > STEP_BACK_MS ? late + 1 : 0;
  if (!isKnown || behind < 0 || late >= LATE_IN_A_ROW) {
    ahead = sample;
    late = 0;
  }
  isKnown = true;
}

/** Clears the estimate: a new connection may be to another machine. */
export function clearEngineTime(): void {
  isKnown = false;
}

/** Returns epoch ms by the engine's clock. */
export function engineNow(): number {
  return ahead + performance.now();
}
