import { describe, expect, it } from 'vitest';
import { Camera } from '../../../../../renderer/features/timeline/canvas/camera.ts';
import { NOW_AT } from '../../../../../renderer/features/timeline/model/zoom.ts';
import { DAY, HOUR, MINUTE, NOW } from '../build.ts';

function cameraAt(zoom: '1m' | '1h' | '1d' | 'all') {
  const camera = new Camera();
  camera.show(zoom, NOW_AT, null, NOW, null);
  return camera;
}

describe('the camera', () => {
  it('is animated to a preset in 240 ms, by ratio', () => {
    const camera = cameraAt('1m');
    camera.show('1d', NOW_AT, null, NOW, 1_000);
    camera.advance(null, NOW, 1_000);
    expect(camera.frame.span).toBe(MINUTE);
    camera.advance(null, NOW, 1_120);
    expect(camera.frame.span).toBeGreaterThan(HOUR);
    expect(camera.frame.span).toBeLessThan(DAY);
    camera.advance(null, NOW, 1_240);
    expect(camera.frame).toEqual({ span: DAY, nowAt: NOW_AT });
    expect(camera.travelling).toBe(false);
  });

  it('reports the end of an animation as its target', () => {
    const camera = cameraAt('1m');
    camera.show('1d', NOW_AT, null, NOW, 1_000);
    expect(camera.target.span).toBe(DAY);
    expect(camera.bucketMs).toBe(10 * MINUTE);
  });

  it('zooms about now, and about the pointer once now is out of view', () => {
    const camera = cameraAt('1h');
    camera.wheel(200, 0.9);
    expect(camera.frame.nowAt).toBeCloseTo(NOW_AT);
    camera.pan(-2);
    const instantAtPointer = () => NOW + (0.5 - camera.frame.nowAt) * camera.frame.span;
    const before = instantAtPointer();
    camera.wheel(-300, 0.5);
    expect(instantAtPointer()).toBeCloseTo(before, 3);
  });

  it('ignores its own zoom when it arrives late as a prop', () => {
    const camera = cameraAt('1h');
    const first = camera.wheel(100, 0.5);
    const second = camera.wheel(100, 0.5);
    camera.show(first, NOW_AT, null, NOW, 0);
    expect(camera.frame.span).toBe(second);
    camera.show(second, NOW_AT, null, NOW, 0);
    expect(camera.frame.span).toBe(second);
  });

  it('is panned, and returns to now on request or with a preset', () => {
    const camera = cameraAt('1h');
    camera.pan(-0.5);
    expect(camera.panned).toBe(true);
    camera.backToNow(null, NOW, null);
    expect(camera).toMatchObject({ panned: false, frame: { nowAt: NOW_AT } });
    camera.pan(-0.5);
    camera.show('1d', NOW_AT, null, NOW, null);
    expect(camera.panned).toBe(false);
  });

  it('follows the known data under All', () => {
    const camera = cameraAt('all');
    camera.advance(known(10, 10), NOW, 16);
    const before = camera.frame.span;
    camera.advance(known(10, 40), NOW, 32);
    expect(camera.frame.span).toBeGreaterThan(before);
  });
});

function known(daysBefore: number, daysAfter: number) {
  return {
    ...{
      now: NOW,
      revision: 1,
      cutoff: null,
      overdue: 0,
      oldestOverdueAt: null,
      actionDueAt: null,
      recounting: false,
    },
    ...{ series: [], bucketMs: DAY, buckets: [], cliffs: [] },
    earliestAt: NOW - daysBefore * DAY,
    latestAt: NOW + daysAfter * DAY,
  };
}
