import { describe, expect, it } from 'vitest';
import { droppedShare, spreadOf, workOf } from '../e2e/support/frames.ts';

const at = { pid: 1, tid: 1 };
const frame = (ts: number) => ({ ...at, name: 'BeginMainThreadFrame', ph: 'I', ts });
const task = (ts: number, dur: number, tdur: number) => ({ ...at, name: 'RunTask', ph: 'X', ts, dur, tdur });
const name = { ...at, name: 'thread_name', ph: 'M', ts: 0, args: { name: 'CrRendererMain' } };

describe('the measurement of frames', () => {
  it('adds up all tasks from the begin of a frame to the next, in CPU time and wall time', () => {
    const traceEvents = [
      name,
      frame(1_000),
      task(900, 2_000, 1_500),
      task(5_000, 1_000, 500),
      // Nested in the previous task.
      task(5_100, 200, 200),
      frame(17_000),
      task(16_900, 4_000, 4_000),
      frame(33_000),
      { ...at, tid: 2, name: 'RunTask', ph: 'X', ts: 2_000, dur: 9_000 },
    ];
    expect(workOf(JSON.stringify({ traceEvents }))).toMatchObject({ cpu: [2, 4], wall: [3, 4] });
  });

  it('separates code (scripts, styles, layout) from drawing (painting, layering)', () => {
    const part = (name: string, ts: number, dur: number) => ({ ...task(ts, dur, dur), name });
    const traceEvents = [
      name,
      frame(1_000),
      task(1_000, 9_000, 9_000),
      part('FunctionCall', 1_100, 2_000),
      // Forced by the script: counted with it.
      part('Layout', 1_200, 500),
      part('UpdateLayoutTree', 4_000, 1_000),
      part('PrePaint', 5_500, 500),
      part('Paint', 6_000, 1_000),
      part('FireIdleCallback', 8_000, 500),
      frame(17_000),
    ];
    expect(workOf(JSON.stringify({ traceEvents }))).toEqual({
      cpu: [9],
      wall: [9],
      code: [3],
      drawing: [1.5],
    });
  });

  it('fails for a trace without a frame of a page', () => {
    expect(() => workOf(JSON.stringify({ traceEvents: [name, task(0, 1, 1)] }))).toThrow('no frame');
  });

  it('counts intervals without a drawn frame as dropped frames', () => {
    const beat = 1_000 / 60;
    expect(droppedShare([0, beat, 2 * beat, 3 * beat])).toBe(0);
    expect(droppedShare([0, beat, 4 * beat])).toBe(0.5);
    expect(droppedShare([0, beat * 1.3])).toBe(0);
  });

  it('returns percentiles for values in any order', () => {
    expect(spreadOf(Array.from({ length: 100 }, (_, i) => 99 - i))).toEqual({ p50: 50, p95: 95, max: 99 });
    expect(spreadOf([])).toEqual({ p50: 0, p95: 0, max: 0 });
  });
});
