/** Entry of a thread that measures, until it is ended, how long a small synced write takes and how late a wait ends. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { Standstill } from './standstill.ts';

const EVERY_MS = 5;
/** Shorter ones explain no stall, and are sent as a sample of durations only. */
const KEPT_FROM_MS = 5;

const file: unknown = workerData;
if (typeof file !== 'string') throw new TypeError('started without a file');
const handle = openSync(file, 'w');
const nothing = new Int32Array(new SharedArrayBuffer(4));
const found: { syncMs: number[]; lateMs: number[]; standstills: Standstill[] } = {
  syncMs: [],
  lateMs: [],
  standstills: [],
};

/** Runs `act` and records its duration beyond `expectedMs`. */
function measure(kind: Standstill['kind'], durations: number[], expectedMs: number, act: () => void): void {
  const from = Date.now();
  const began = performance.now();
  act();
  const ms = performance.now() - began - expectedMs;
  durations.push(ms);
  if (ms >= KEPT_FROM_MS) found.standstills.push({ kind, from, to: from + expectedMs + ms });
}

let isOver = false;
parentPort?.on('message', () => {
  isOver = true;
});
function step(): void {
  if (isOver) {
    closeSync(handle);
    parentPort?.postMessage(found);
    parentPort?.close();
    return;
  }
  measure('disk', found.syncMs, 0, () => {
    writeSync(handle, 'a few bytes', 0);
    fdatasyncSync(handle);
  });
  measure('processor', found.lateMs, EVERY_MS, () => {
    Atomics.wait(nothing, 0, 0, EVERY_MS);
  });
  setImmediate(step);
}
step();
