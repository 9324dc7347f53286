import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clip, instantAt, viewAt, xOf } from '../../../../renderer/components/canvas-chart/plot.ts';
import { DAY, HOUR, NOW, plotOf } from '../../features/timeline/build.ts';

it('instantAt is the inverse of xOf', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 200, max: 4_000 }),
      fc.double({ min: 10_000, max: 400 * DAY, noNaN: true }),
      fc.double({ min: -2, max: 3, noNaN: true }),
      (width, span, at) => {
        const view = viewAt(NOW, { span, nowAt: 1 / 3 }, plotOf(width, 300));
        const x = view.plot.left + at * (view.plot.right - view.plot.left);
        expect(xOf(view, instantAt(view, x))).toBeCloseTo(x, 2);
      },
    ),
  );
});

it('now stays at a third of the plot while time passes', () => {
  const plot = plotOf(1000, 300);
  const frame = { span: HOUR, nowAt: 1 / 3 };
  const third = plot.left + (plot.right - plot.left) / 3;
  for (const now of [NOW, NOW + 1, NOW + 12_345])
    expect(xOf(viewAt(now, frame, plot), now)).toBeCloseTo(third, 6);
});

it('clip cuts spans to the plot', () => {
  const view = viewAt(NOW, { span: HOUR, nowAt: 0 }, plotOf(144 + 12, 300));
  expect(clip(view, NOW - HOUR, NOW + HOUR / 2)).toEqual({ x1: 44, x2: 94 });
  expect(clip(view, NOW - HOUR, NOW - 1)).toBeNull();
});
