import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viewAt, xOf } from '../../../../../renderer/components/canvas-chart/plot.ts';
import {
  bucketFor,
  bucketUnit,
  type Frame,
  frameOf,
  NOW_AT,
  NOW_AT_IN_PREVIEW,
  nowAtAfterZoom,
  spanAfterWheel,
  ZOOM_PRESETS,
} from '../../../../../renderer/features/timeline/model/zoom.ts';
import { DAY, HOUR, MINUTE, NOW, plotOf, SECOND } from '../build.ts';

const nothing = { earliestAt: null, latestAt: null };

describe('the bucket', () => {
  it('is the length of each preset', () => {
    const buckets = ZOOM_PRESETS.map(zoom => bucketFor(frameOf(zoom, nothing, NOW).span, zoom));
    expect(buckets).toEqual([SECOND, 30 * SECOND, 10 * MINUTE, 6 * HOUR, 12 * HOUR]);
    expect(buckets.map(bucketUnit)).toEqual(['second', '30 s', '10 m', '6 h', '12 h']);
  });

  it('grows with the span, with at most 150 buckets across it', () => {
    fc.assert(
      fc.property(fc.double({ min: 10_000, max: 400 * 365 * DAY, noNaN: true }), span => {
        const bucket = bucketFor(span, span);
        expect(span / bucket).toBeLessThanOrEqual(150);
        expect(bucketFor(span * 1.5, span * 1.5)).toBeGreaterThanOrEqual(bucket);
      }),
    );
  });
});

describe('a zoom', () => {
  it('keeps now at a third, except All', () => {
    for (const zoom of ['1m', '1h', '1d', '30d', 5 * MINUTE] as const)
      expect(frameOf(zoom, nothing, NOW).nowAt).toBe(NOW_AT);
  });

  it('shows both ends of the known data under All', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -2_000, max: 30 }),
        fc.integer({ min: -30, max: 36_000 }),
        (earliestDays, latestDays) => {
          fc.pre(earliestDays <= latestDays);
          const [earliestAt, latestAt] = [NOW + earliestDays * DAY, NOW + latestDays * DAY];
          const frame = frameOf('all', { earliestAt, latestAt }, NOW);
          const plot = plotOf(1000, 300);
          const view = viewAt(NOW, frame, plot);
          expect(frame.nowAt).toBeGreaterThanOrEqual(0.1);
          expect(frame.nowAt).toBeLessThanOrEqual(0.9);
          const slack = frame.nowAt === 0.1 || frame.nowAt === 0.9 ? 90 : 0.001;
          expect(xOf(view, Math.min(earliestAt, NOW))).toBeGreaterThanOrEqual(plot.left - slack);
          expect(xOf(view, Math.max(latestAt, NOW))).toBeLessThanOrEqual(plot.right + slack);
        },
      ),
    );
  });

  it('by wheel keeps the given instant in place', () => {
    const plot = plotOf(1280, 400);
    fc.assert(
      fc.property(
        fc.double({ min: 10_000, max: 90 * DAY, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: -400, max: 400 }),
        (span, nowAt, keepAt, delta) => {
          const before: Frame = { span, nowAt };
          const nextSpan = spanAfterWheel(span, delta);
          const after: Frame = { span: nextSpan, nowAt: nowAtAfterZoom(before, nextSpan, keepAt) };
          const kept = NOW + (keepAt - nowAt) * span;
          const [x1, x2] = [before, after].map(frame => xOf(viewAt(NOW, frame, plot), kept));
          expect(x2).toBeCloseTo(x1 ?? Number.NaN, 2);
        },
      ),
    );
  });
});

describe('a preview', () => {
  it('shows the whole future span, although now is not at the edge', () => {
    const { span, nowAt } = frameOf('30d', null, 0, NOW_AT_IN_PREVIEW);
    expect(nowAt).toBe(NOW_AT_IN_PREVIEW);
    expect(span * (1 - nowAt)).toBeGreaterThanOrEqual(30 * DAY);
    expect(span * (1 - nowAt)).toBeLessThan(31 * DAY);
  });
});
