import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Box,
  type FlagRequest,
  type Measure,
  overlaps,
  placeFlags,
} from '../../../../../renderer/components/canvas-chart/labels.ts';
import {
  formatOverdue,
  overdueStack,
  placeOverdueLabel,
} from '../../../../../renderer/features/timeline/scene/overdue.ts';
import { answerWith, MINUTE, NOW, plotOf } from '../build.ts';

const measure: Measure = text => text.length * 6;
const plot = plotOf(1000, 300);
const flag = (x: number, count: number, y = 30): FlagRequest => ({
  x,
  y,
  count,
  strong: String(count),
  rest: ' at 14:50:00',
});

describe('flags', () => {
  it('are right of their bar, and left of it at the right edge', () => {
    const { flags } = placeFlags([flag(500, 10), flag(980, 10)], [], [], plot, measure);
    expect(flags[0]?.textX).toBeGreaterThan(500);
    expect(flags[1]?.textX).toBeLessThan(980);
  });

  it('of larger counts take precedence; without room for text they are marks', () => {
    const { flags, marks } = placeFlags([flag(545, 5), flag(400, 99), flag(600, 98)], [], [], plot, measure);
    expect(flags.map(({ strong }) => strong)).toEqual(['99', '98']);
    expect(marks.map(({ x }) => x)).toEqual([545]);
  });

  it('do not cover bars but their own', () => {
    const tall: Box = { x1: 540, x2: 550, y1: 20, y2: 278 };
    const own: Box = { x1: 496, x2: 504, y1: 110, y2: 278 };
    const { flags } = placeFlags([flag(500, 10, 100)], [], [tall, own], plot, measure);
    expect(flags[0]?.endX).toBeLessThan(500);
  });

  it('never overlap each other or earlier text, and stay in the plot', () => {
    const requests = fc.array(
      fc.record({
        x: fc.integer({ min: 44, max: 988 }),
        count: fc.nat({ max: 99_999 }),
        y: fc.integer({ min: 24, max: 200 }),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(requests, list => {
        const taken: Box = { x1: 300, x2: 420, y1: 24, y2: 40 };
        const placed = placeFlags(
          list.map(({ x, count, y }) => flag(x, count, y)),
          [taken],
          [],
          plot,
          measure,
        );
        const boxes = placed.flags.map(
          ({ textX, endX, y }): Box => ({ x1: textX, x2: endX, y1: y - 7, y2: y + 7 }),
        );
        for (const [index, box] of boxes.entries()) {
          expect(overlaps(box, taken)).toBe(false);
          expect(box.x1).toBeGreaterThanOrEqual(plot.left - 4);
          expect(box.x2).toBeLessThanOrEqual(plot.right + 2);
          for (const other of boxes.slice(index + 1)) expect(overlaps(box, other)).toBe(false);
        }
      }),
    );
  });
});

describe('the overdue stack', () => {
  it('is at the line of now, on the scale of the bars, at least 2 px high', () => {
    expect(overdueStack(0, 300, plot, 100, false)).toBeNull();
    expect(overdueStack(50, 300, plot, 100, false)).toMatchObject({
      height: 127,
      torn: false,
      x: 289,
      width: 10,
    });
    expect(overdueStack(1, 300, plot, 10_000, false)?.height).toBe(2);
    expect(overdueStack(5_000, 300, plot, 100, false)).toMatchObject({ torn: true });
  });

  const words = { strong: '6 overdue', rest: ' · oldest 1.6 s' };
  const where = { plot, nowX: 360, gapX: 350, stackWidth: 10, right: false, stopped: false };

  it('has its label left of the line, or right of it without room', () => {
    const left = placeOverdueLabel(words, where, measure);
    expect(left.box.x2).toBeLessThan(360);
    expect(left.bracket).toBeNull();
    expect(placeOverdueLabel(words, { ...where, nowX: 60, gapX: 50 }, measure).box.x1).toBeGreaterThan(60);
  });

  it('has its label and a bracket within a wide gap', () => {
    const label = placeOverdueLabel(words, { ...where, gapX: 100 }, measure);
    expect(label.inGap).toBe(true);
    expect(label.bracket).toMatchObject({ x1: 101, open: false });
    expect(placeOverdueLabel(words, { ...where, gapX: -500 }, measure).bracket).toMatchObject({ open: true });
  });

  it('has a bracket in a gap without room for text if the reaper is stopped', () => {
    expect(placeOverdueLabel(words, { ...where, gapX: 300, stopped: true }, measure)).toMatchObject({
      inGap: false,
      bracket: { x1: 301 },
    });
  });

  it('states the age of the oldest, and its series if that is paused', () => {
    const answer = answerWith({ overdue: 6, oldestOverdueAt: NOW - 6 * MINUTE });
    expect(formatOverdue(answer, [true], 6, NOW, 'overdue')).toEqual({
      strong: '6 overdue',
      rest: ' · oldest 6 m',
    });
    const series = [{ id: 'c', label: 'carts', pausedSince: NOW - 6 * MINUTE, overdue: 6 }];
    expect(formatOverdue({ ...answer, series }, [true], 6, NOW, 'overdue').rest).toBe(' · oldest 6 m, carts');
  });
});
