import { availableParallelism, loadavg } from 'node:os';
import type { Page } from '@playwright/test';

/**
 * Terms of this file
 *   display frame   one frame of a 60 Hz display, by Chromium's clock
 *   frame           from the beginning of a main-thread frame to the next one, with all tasks of the main thread in between
 *   work            time of those tasks: `cpu` on a core, `wall` including waiting for a core
 *   code            the part of `cpu` in JavaScript, styles and layout
 *   drawing         the part of `cpu` in painting and layering
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
const CODE = new Set([
  'FunctionCall',
  'EvaluateScript',
  'FireAnimationFrame',
  'TimerFire',
  'EventDispatch',
  'RunMicrotasks',
  'UpdateLayoutTree',
  'Layout',
]);
const DRAWING = new Set(['PrePaint', 'Paint', 'Layerize', 'Commit']);

export interface FrameFigures {
  frames: number;
  /** In ms. */
  cpu: Spread;
  code: Spread;
  drawing: Spread;
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
export function workOf(trace: string): Record<'cpu' | 'wall' | 'code' | 'drawing', number[]> {
  const parsed: { traceEvents: TraceEvent[] } = JSON.parse(trace);
  const thread = mainThread(parsed.traceEvents);
  const begins = thread
    .filter(({ name }) => name === FRAME)
    .map(({ ts }) => ts)
    .sort((a, b) => a - b);
  const events = thread.filter(({ ph }) => ph === 'X').sort((a, b) => a.ts - b.ts);
  const perFrame = (isCounted: (name: string) => boolean, ms: (event: TraceEvent) => number) =>
    sumByFrame(
      begins,
      events.filter(({ name }) => isCounted(name)),
      ms,
    );
  const onCore = ({ dur = 0, tdur = dur }: TraceEvent) => tdur / 1_000;
  const isTask = (name: string) => name === TASK;
  return {
    cpu: perFrame(isTask, onCore),
    wall: perFrame(isTask, ({ dur = 0 }) => dur / 1_000),
    code: perFrame(name => CODE.has(name), onCore),
    drawing: perFrame(name => DRAWING.has(name), onCore),
  };
}

function sumByFrame(
  begins: readonly number[],
  events: readonly TraceEvent[],
  ms: (event: TraceEvent) => number,
): number[] {
  const sums = begins.slice(1).map(() => 0);
  let frame = 0;
  let busyUntil = 0;
  for (const event of events) {
    const end = event.ts + (event.dur ?? 0);
    // A nested event is part of its outer one.
    if (end <= busyUntil) continue;
    busyUntil = end;
    // The task of a frame begins before its event: a task belongs to the frame in which it ends.
    while (frame < begins.length && (begins[frame] ?? 0) <= end) frame += 1;
    if (frame === 0 || frame >= begins.length) continue;
    sums[frame - 1] = (sums[frame - 1] ?? 0) + ms(event);
  }
  return sums;
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
  const { cpu, wall, code, drawing } = workOf(trace);
  return {
    frames: cpu.length,
    cpu: spreadOf(cpu),
    code: spreadOf(code),
    drawing: spreadOf(drawing),
    wall: spreadOf(wall),
    dropped: droppedShare(seen),
  };
}

export function tell(title: string, { frames, cpu, code, drawing, wall, dropped }: FrameFigures): string {
  const ms = ({ p50, p95, max }: Spread) =>
    `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} max ${max.toFixed(1)} ms`;
  return `${title}: ${frames} frames; work ${ms(cpu)} (with waiting ${ms(wall)}; code ${ms(code)}; drawing ${ms(drawing)}); ${(dropped * 100).toFixed(1)} % dropped`;
}
