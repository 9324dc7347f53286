import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plotWithin } from '../../../../renderer/components/canvas-chart/plot.ts';
import { scaleOf } from '../../../../renderer/features/health/charts/chart-scale.ts';
import { chartsOf } from '../../../../renderer/features/health/charts/charts.ts';
import { formatCrosshair } from '../../../../renderer/features/health/charts/format-crosshair.ts';
import { formatAxisFigure, formatFigure } from '../../../../renderer/features/health/charts/format-figure.ts';
import {
  CHART_MARGINS,
  crosshairAfterKey,
  indexAt,
  minuteX,
  runsOf,
  yOf,
} from '../../../../renderer/features/health/charts/geometry.ts';
import {
  drainMsOf,
  gridOf,
  indexOf,
  instantOf,
  rateOf,
  spanFor,
  stepsOf,
} from '../../../../renderer/features/health/charts/grid.ts';
import { MINUTE, NOW, point } from './build.ts';

const THIS_MINUTE = Math.floor(NOW / MINUTE) * MINUTE;

describe('the grid', () => {
  const grid = gridOf([point(THIS_MINUTE), point(THIS_MINUTE - 2 * MINUTE)], NOW, 60);

  test('has every minute of the span, the current one last, and gaps in unmeasured minutes', () => {
    expect(grid.points).toHaveLength(61);
    expect(grid.points.at(-1)?.at).toBe(THIS_MINUTE);
    expect(grid.points.at(-2)).toBeNull();
    expect(grid.points.at(-3)?.at).toBe(THIS_MINUTE - 2 * MINUTE);
  });

  test('leaves out points before the span', () => {
    expect(gridOf([point(THIS_MINUTE - 61 * MINUTE)], NOW, 60).points.every(found => found === null)).toBe(
      true,
    );
  });

  test('property: indexOf finds the minute of each instant', () => {
    fc.assert(
      fc.property(fc.nat(60), index => {
        expect(indexOf(grid, instantOf(grid, index) + 59_999)).toBe(index);
      }),
    );
    expect(indexOf(grid, 0)).toBe(0);
    expect(indexOf(grid, NOW * 2)).toBe(60);
  });

  test('spans 15 minutes until older measurements exist, then an hour', () => {
    expect(spanFor([point(THIS_MINUTE - 3 * MINUTE)], NOW)).toBe('15m');
    expect(spanFor([point(THIS_MINUTE - 20 * MINUTE)], NOW)).toBe('1h');
    expect(spanFor([], NOW)).toBe('1h');
  });

  test('the time to drain is the overdue count divided by its minute’s rate, and null without removals', () => {
    const at = THIS_MINUTE - MINUTE;
    const drain = (overdue: number, removed: number) =>
      drainMsOf(point(at, { overdue, removed, changed: 0 }), NOW);
    expect([drain(0, 0), drain(60, 120), drain(60, 0)]).toEqual([0, 30_000, null]);
  });

  test('a rate counts the seconds that have passed, and is null in the first 5 s of a minute', () => {
    expect(rateOf(120, THIS_MINUTE - MINUTE, NOW)).toBe(2);
    expect(rateOf(38, THIS_MINUTE, NOW)).toBe(1);
    expect(rateOf(38, NOW - 4_000, NOW)).toBeNull();
  });

  test('steps of a table sum counts, keep the largest lag, and leave out unmeasured time', () => {
    const hour = THIS_MINUTE - (THIS_MINUTE % (60 * MINUTE));
    const measured = [0, 1, 7].map(minute => point(hour + minute * MINUTE, { lagMaxMs: minute }));
    const steps = stepsOf(gridOf(measured, hour + 30 * MINUTE, 60), 5);
    expect(steps.map(step => [step.minutes, step.point.removed, step.point.lagMaxMs])).toEqual([
      [1, 120, 7],
      [2, 240, 1],
    ]);
  });
});

describe('the scale', () => {
  test('durations have the steps of a clock', () => {
    const ticks = (largest: number) => {
      const line = { label: '', colour: 0, values: [largest] } as const;
      return scaleOf({ lines: [line], scale: 'linear', budget: null, measure: 'ms' }, 4).ticks;
    };
    expect(ticks(700_000)).toEqual([300_000, 600_000, 900_000]);
    expect(ticks(50 * 3_600_000).at(-1)).toBe(3 * 86_400_000);
    // 0 ms is labelled in seconds.
    expect(Math.min(...ticks(0))).toBeGreaterThan(100);
  });

  test('property: a log scale keeps the order of values, and all of them in the plot', () => {
    const values = fc.array(fc.double({ min: 0, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(values, given => {
        const line = { label: '', colour: 0, values: given } as const;
        const { heightOf, ticks } = scaleOf({ lines: [line], scale: 'log', budget: null, measure: 'ms' }, 4);
        const heights = [...given].sort((a, b) => a - b).map(heightOf);
        expect(heights).toEqual([...heights].sort((a, b) => a - b));
        expect(heights.every(height => height >= 0 && height <= 1)).toBe(true);
        expect(ticks.length).toBeGreaterThan(0);
      }),
    );
  });

  test('a budget above all values is in view', () => {
    const line = { label: '', colour: 0, values: [1, null, 2] } as const;
    const { heightOf } = scaleOf(
      { lines: [line], scale: 'linear', budget: { value: 8, label: '' }, measure: 'ms' },
      4,
    );
    expect(heightOf(8)).toBeLessThanOrEqual(1);
    expect(heightOf(2)).toBeLessThan(0.3);
  });
});

describe('the geometry', () => {
  const plot = plotWithin(300, 180, CHART_MARGINS);
  const viewOf = (count: number) => ({ plot, from: THIS_MINUTE, span: (count - 1) * MINUTE });

  test('property: indexAt is the inverse of minuteX', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1_441 }), fc.nat(), (count, seed) => {
        const index = seed % count;
        expect(indexAt(viewOf(count), minuteX(viewOf(count), index), count)).toBe(index);
      }),
    );
  });

  test('positions beyond the plot are its first and last minute', () => {
    expect(indexAt(viewOf(61), -50, 61)).toBe(0);
    expect(indexAt(viewOf(61), 900, 61)).toBe(60);
  });

  test('heights grow upwards', () => {
    expect(yOf(plot, 0)).toBe(plot.bottom);
    expect(yOf(plot, 1)).toBe(plot.top);
  });

  test('property: runs hold every value once, in its place, and never connect values over a gap', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(9))), values => {
        const again: (number | null)[] = values.map(() => null);
        const runs = runsOf(values);
        for (const run of runs) again.splice(run.start, run.values.length, ...run.values);
        expect(again).toEqual(values);
        for (const run of runs) expect(values[run.start - 1] ?? null).toBeNull();
      }),
    );
  });

  test('arrows move by a minute, with Shift by ten; Home and End go to the ends; Escape hides the crosshair', () => {
    expect(crosshairAfterKey('ArrowLeft', null, 61, false)).toBe(59);
    expect(crosshairAfterKey('ArrowLeft', 3, 61, true)).toBe(0);
    expect(crosshairAfterKey('ArrowRight', 60, 61, false)).toBe(60);
    expect(crosshairAfterKey('PageDown', 20, 61, false)).toBe(30);
    expect(crosshairAfterKey('Home', 20, 61, false)).toBe(0);
    expect(crosshairAfterKey('End', 20, 61, false)).toBe(60);
    expect(crosshairAfterKey('Escape', 20, 61, false)).toBe('gone');
    expect(crosshairAfterKey('Escape', null, 61, false)).toBeNull();
    expect(crosshairAfterKey('a', 20, 61, false)).toBeNull();
  });
});

describe('formatted values', () => {
  test('durations by their size, rates with few digits, counts in full, and a dash for null', () => {
    expect([0.983, 4.27, 96.4, 2_400, 157_000].map(ms => formatFigure(ms, 'ms'))).toEqual([
      '0.98 ms',
      '4.3 ms',
      '96 ms',
      '2.4 s',
      '2.6 m',
    ]);
    expect([0, 0.046, 22.13, 1_940].map(rate => formatFigure(rate, 'rate'))).toEqual([
      '0',
      '0.05',
      '22.1',
      '1,940',
    ]);
    expect(formatFigure(81_754, 'documents')).toBe('81,754');
    expect(formatFigure(null, 'ms')).toBe('–');
  });

  test('values at an axis are short', () => {
    expect([0.1, 10, 1_000, 100_000].map(ms => formatAxisFigure(ms, 'ms'))).toEqual([
      '0.1 ms',
      '10 ms',
      '1 s',
      '100 s',
    ]);
    expect([2_500, 1_000_000, 120_000, 5_400_000].map(ms => formatAxisFigure(ms, 'ms'))).toEqual([
      '2.5 s',
      '1,000 s',
      '2 m',
      '1.5 h',
    ]);
    expect([2.5, 5_000, 12_500].map(count => formatAxisFigure(count, 'documents'))).toEqual([
      '2.5',
      '5,000',
      '12.5 k',
    ]);
  });

  test('a line of zeros is left out', () => {
    const labels = (changed: number) =>
      chartsOf(gridOf([point(THIS_MINUTE, { changed })], NOW, 60), NOW, null)[1]?.lines.map(
        ({ label }) => label,
      );
    expect(labels(0)).toEqual(['removed', 'written']);
    expect(labels(3)).toEqual(['removed', 'changed', 'written']);
  });

  test('the text of the crosshair covers all charts at its minute, and none in a gap', () => {
    const grid = gridOf([point(THIS_MINUTE - MINUTE)], NOW, 60);
    const charts = chartsOf(grid, NOW, 8);
    expect(formatCrosshair(charts, 59, instantOf(grid, 59), 'utc', undefined)).toBe(
      'Sat 21 Nov 2026 14:31:00 UTC: Lag p50 1 ms, p99 2 ms, max 9 ms; Removed / written removed 2, written 1; Batch time 4 ms; Overdue 0; Backlog with a deadline 900, stored 1,000; Time to drain 0 s',
    );
    expect(formatCrosshair(charts, 3, instantOf(grid, 3), 'utc', undefined)).toMatch(/: no measurements$/);
  });
});
