import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { axisTicks, rulerTicks } from '../../../../renderer/components/canvas-chart/ticks.ts';
import { wallClock } from '../../../../shared/model/zone.ts';
import { DAY, HOUR, MINUTE, NOW, SECOND } from '../../features/timeline/build.ts';

const WIDTH = 920;
const axis = (from: number, span: number, zone: 'utc' | 'local' = 'utc') =>
  axisTicks(from, from + span, WIDTH / span, zone, { apartPx: 70 });

describe('the ruler', () => {
  it('has whole steps from now, without now itself', () => {
    const labels = rulerTicks(NOW - 20 * MINUTE, NOW + 40 * MINUTE, NOW, WIDTH / HOUR).map(
      tick => tick.label,
    );
    expect(labels).toEqual([
      '−20 m',
      '−15 m',
      '−10 m',
      '−5 m',
      '+5 m',
      '+10 m',
      '+15 m',
      '+20 m',
      '+25 m',
      '+30 m',
      '+35 m',
      '+40 m',
    ]);
  });

  it('keeps its ticks while time passes', () => {
    const at = (now: number) =>
      rulerTicks(now - MINUTE / 3, now + (2 * MINUTE) / 3, now, WIDTH / MINUTE).map(tick => tick.at - now);
    expect(at(NOW + 1_234)).toEqual(at(NOW));
  });
});

describe('the axis', () => {
  it('uses no step finer than the least', () => {
    const labels = axisTicks(NOW - HOUR / 4, NOW, 480 / (HOUR / 4), 'utc', {
      apartPx: 58,
      leastStepMs: 5 * MINUTE,
    }).map(tick => tick.label);
    expect(labels).toEqual(['14:20', '14:25', '14:30']);
  });

  const zone = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = 'Europe/Berlin';
  });
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('shows seconds, minutes or hours by the space for labels', () => {
    expect(axis(NOW, MINUTE)[0]?.label).toBe('14:32:40');
    expect(axis(NOW, HOUR)[0]?.label).toBe('14:35');
    expect(
      axis(NOW, DAY)
        .map(tick => tick.label)
        .slice(0, 4),
    ).toEqual(['16:00', '18:00', '20:00', '22:00']);
  });

  it('labels midnight with the day, in bold', () => {
    const strong = axis(NOW, DAY).filter(tick => tick.strong);
    expect(strong.map(tick => tick.label)).toEqual(['Sun 22 Nov']);
    expect(strong[0]?.at).toBe(Date.UTC(2026, 10, 22));
  });

  it('has midnight of the zone', () => {
    expect(axis(NOW, DAY, 'local').find(tick => tick.strong)?.at).toBe(Date.UTC(2026, 10, 21, 23));
  });

  it('always has the first of a month, in bold', () => {
    const ticks = axis(NOW, 30 * DAY);
    expect(ticks.filter(tick => tick.strong).map(tick => tick.label)).toEqual(['1 Dec']);
    expect(ticks.map(tick => tick.label)).toContain('26 Nov');
  });

  it('continues with months and years', () => {
    expect(axis(NOW, 400 * DAY).map(tick => tick.label)).toContain('Jan 2027');
    expect(axis(NOW, 20 * 365 * DAY).map(tick => tick.label)).toContain('2030');
  });

  it('keeps round times across changes of daylight saving', () => {
    const spring = Date.UTC(2026, 2, 28, 18);
    const autumn = Date.UTC(2026, 9, 24, 18);
    for (const from of [spring, autumn]) {
      const ticks = axis(from, DAY, 'local');
      expect(ticks.length).toBeGreaterThan(5);
      for (const tick of ticks) expect(wallClock(tick.at, 'local').minute).toBe(0);
      expect(ticks.filter(tick => tick.strong)).toHaveLength(1);
    }
  });

  it('ascends, stays within the view and keeps its distance, at any zoom in any zone', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 10 * SECOND, max: 200 * 365 * DAY, noNaN: true }),
        fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2060, 0) }),
        fc.constantFrom('utc' as const, 'local' as const),
        (span, from, inZone) => {
          const ticks = axis(from, span, inZone);
          expect(ticks.length).toBeLessThanOrEqual(16);
          ticks.forEach((tick, index) => {
            expect(tick.at).toBeGreaterThanOrEqual(from);
            expect(tick.at).toBeLessThanOrEqual(from + span);
            const previous = ticks[index - 1];
            if (previous) expect(((tick.at - previous.at) * WIDTH) / span).toBeGreaterThan(38);
          });
        },
      ),
      { numRuns: 300 },
    );
  });
});
