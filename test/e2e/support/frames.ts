import { availableParallelism, loadavg } from 'node:os';
import type { Page } from '@playwright/test';

/**
 * Terms of this file
 *   display frame   one frame of a 60 Hz display, by Chromium's clock
 *   frame           from the beginning of a main-thread frame to the next one, with all tasks of the main thread in between
 *   work            time of those tasks: `cpu` on a core, `wall` including waiting for a core
 *   dropped         display frames without a call of `requestAnimationFrame`
 */
const DISPLAY_FRAME_MS = 1_000 / 60;
/** Tolerated delay of a call within its display frame, ms. */
const ROUNDING = 0.5;

const CATEGORIES = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
];
const TASK = 'RunTask';
const FRAME = 'BeginMainThreadFrame';

export interface FrameFigures {
  frames: number;
  /** In ms. */
  cpu: Spread;
  wall: Spread;
  /** Share of all display frames, 0 to 1. */
  dropped: number;
}

export interface Spread {
  p50: number;
  p95: number;
  max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), max: sorted.at(-1) ?? 0 };
}

/** Returns the factor by which limits grow if more processes are ready than there are cores. */
export function crowding(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

const keyOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;

/** Returns the main thread with the most frames: the page's, as Chromium may have a spare renderer. */
function mainThread(events: readonly TraceEvent[]): TraceEvent[] {
  const threads = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(keyOf),
  );
  const frames = Map.groupBy(
    events.filter(event => event.name === FRAME && threads.has(keyOf(event))),
    keyOf,
  );
  const [busiest] = [...frames].sort(([, a], [, b]) => b.length - a.length);
  if (busiest === undefined) throw new Error('The trace holds no frame of a page.');
  return events.filter(event => keyOf(event) === busiest[0]);
}

/** Returns the work of the main thread in each frame, ms. */
export function workOf(trace: string): { cpu: number[]; wall: number[] } {
  const parsed: { traceEvents: TraceEvent[] } = JSON.parse(trace);
  const thread = mainThread(parsed.traceEvents);
  const begins = thread
    .filter(({ name }) => name === FRAME)
    .map(({ ts }) => ts)
    .sort((a, b) => a - b);
  const tasks = thread.filter(({ name, ph }) => ph === 'X' && name === TASK).sort((a, b) => a.ts - b.ts);
  const cpu = begins.slice(1).map(() => 0);
  const wall = begins.slice(1).map(() => 0);
  let frame = 0;
  let busyUntil = 0;
  for (const { ts, dur = 0, tdur = dur } of tasks) {
    // A nested task is part of its outer task.
    if (ts + dur <= busyUntil) continue;
    busyUntil = ts + dur;
    // The task of a frame begins before its event: a task belongs to the frame in which it ends.
    while (frame < begins.length && (begins[frame] ?? 0) <= ts + dur) frame += 1;
    if (frame === 0 || frame >= begins.length) continue;
    cpu[frame - 1] = (cpu[frame - 1] ?? 0) + tdur / 1_000;
    wall[frame - 1] = (wall[frame - 1] ?? 0) + dur / 1_000;
  }
  return { cpu, wall };
}

export function droppedShare(beats: readonly number[]): number {
  let passed = 0;
  let missed = 0;
  for (const [i, at] of beats.slice(1).entries()) {
    const displayFrames = Math.max(1, Math.floor((at - (beats[i] ?? at)) / DISPLAY_FRAME_MS + ROUNDING));
    passed += displayFrames;
    missed += displayFrames - 1;
  }
  return passed === 0 ? 0 : missed / passed;
}

/** Measures the page's frames during `act`. The cost of the trace is included. */
export async function watchFrames(page: Page, act: () => Promise<void>): Promise<FrameFigures> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('Only a browser tells of its frames.');
  await browser.startTracing(page, { categories: CATEGORIES });
  const beats = await page.evaluateHandle(() => {
    const seen: number[] = [];
    const look = (at: number) => {
      seen.push(at);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    return seen;
  });
  await act();
  const seen = await beats.jsonValue();
  const trace = (await browser.stopTracing()).toString();
  const { cpu, wall } = workOf(trace);
  return { frames: cpu.length, cpu: spreadOf(cpu), wall: spreadOf(wall), dropped: droppedShare(seen) };
}

export function tell(title: string, { frames, cpu, wall, dropped }: FrameFigures): string {
  const ms = ({ p50, p95, max }: Spread) =>
    `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} max ${max.toFixed(1)} ms`;
  return `${title}: ${frames} frames; work ${ms(cpu)} (with waiting ${ms(wall)}); ${(dropped * 100).toFixed(1)} % dropped`;
}
