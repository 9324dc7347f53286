/**
 * The engine's clock as the window knows it. Every update says what time it was when it left; it arrives later, so
 * the update that says most is the one that travelled fastest. Between updates the window's own monotonic clock runs
 * on, which neither a person nor a time server sets.
 */
const STEP_BACK_MS = 500;
/** As many late ones in a row are no slow line but a clock that was set back. */
const LATE_IN_A_ROW = 8;

let ahead = Date.now() - performance.now();
let heard = false;
let late = 0;

export function hearEngineTime(engineNow: number): void {
  const sample = engineNow - performance.now();
  const behind = ahead - sample;
  late = behind > STEP_BACK_MS ? late + 1 : 0;
  if (!heard || behind < 0 || late >= LATE_IN_A_ROW) {
    ahead = sample;
    late = 0;
  }
  heard = true;
}

/** A new connection may lead to another machine. */
export function forgetEngineTime(): void {
  heard = false;
}

/** Epoch milliseconds on the engine's clock. */
export function engineNow(): number {
  return ahead + performance.now();
}
