import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viewAt } from '../../../../../renderer/components/canvas-chart/plot.ts';
import { prepareSlots } from '../../../../../renderer/features/timeline/model/buckets.ts';
import type {
  ReaperStatus,
  TimelineAnswer,
} from '../../../../../renderer/features/timeline/model/timeline-model.ts';
import { hitTest } from '../../../../../renderer/features/timeline/scene/hit-test.ts';
import { buildScene, type SceneInput } from '../../../../../renderer/features/timeline/scene/scene.ts';
import { answerWith, bucket, DAY, HOUR, MINUTE, NOW, plotOf } from '../build.ts';

const running: ReaperStatus = { state: 'running', since: null };
const base = NOW - (NOW % MINUTE);
const flow = Array.from({ length: 120 }, (_, index) => {
  const fromAt = base + (index - 60) * MINUTE;
  return bucket(fromAt, fromAt < base ? 20 : 0, fromAt < base ? 0 : 20);
});

function sceneOf(answer: TimelineAnswer, parts: Partial<SceneInput> = {}) {
  const visible = answer.series.map(() => true);
  const slots = prepareSlots(answer, visible);
  const scene = buildScene({
    answer,
    slots,
    visible,
    view: viewAt(NOW, { span: HOUR, nowAt: 1 / 3 }, plotOf(1000, 300)),
    now: NOW,
    scale: 30,
    zone: 'utc',
    reaper: running,
    variant: 'full',
    overdueWord: 'overdue',
    focused: null,
    density: 1,
    measure: text => text.length * 6,
    ...parts,
  });
  return { scene, slots };
}

describe('the scene', () => {
  it('has expired documents left of now, and future ones right of it', () => {
    const { scene } = sceneOf(answerWith({ buckets: flow }));
    const edges = (rects: readonly number[]) =>
      rects.filter((_, i) => i % 4 === 0).map((x, i) => [x, x + (rects[i * 4 + 2] ?? 0)]);
    const solid = edges(scene.bars.solid[0] ?? []);
    const hatched = edges(scene.bars.hatched[0] ?? []);
    expect(solid.length).toBeGreaterThan(15);
    expect(hatched.length).toBeGreaterThan(35);
    expect(Math.max(...solid.map(([, right]) => right ?? 0))).toBeLessThanOrEqual(scene.nowX + 0.001);
    expect(Math.min(...hatched.map(([left]) => left ?? 0))).toBeGreaterThanOrEqual(scene.nowX - 0.001);
  });

  it('shows what expired in the first second of a bucket beside the line of now, which is narrower', () => {
    for (const [now, expired, due] of [
      [base + 1_000, 20, 0],
      [base + MINUTE - 1_000, 0, 20],
    ] as const) {
      const { scene } = sceneOf(answerWith({ now, cutoff: now, buckets: [bucket(base, expired, due)] }), {
        now,
        view: viewAt(now, { span: HOUR, nowAt: 1 / 3 }, plotOf(1000, 300)),
      });
      const [rects, edge] = expired > 0 ? [scene.bars.solid[0], 'right'] : [scene.bars.hatched[0], 'left'];
      const [x = 0, , width = 0] = rects ?? [];
      expect(width).toBeGreaterThanOrEqual(3);
      expect(edge === 'right' ? x + width : x).toBeCloseTo(scene.nowX);
    }
  });

  it('has no label for an invisible lag, and a bracket for a pause', () => {
    const small = answerWith({
      buckets: flow,
      cutoff: NOW - 1_000,
      overdue: 3,
      oldestOverdueAt: NOW - 1_000,
    });
    expect(sceneOf(small).scene).toMatchObject({ stopped: false, overdueLabel: null });
    const paused = answerWith({
      buckets: flow,
      cutoff: NOW - 12 * MINUTE,
      overdue: 240,
      oldestOverdueAt: NOW - 12 * MINUTE,
    });
    const { scene } = sceneOf(paused, { reaper: { state: 'paused', since: NOW - 12 * MINUTE } });
    expect(scene.stopped).toBe(true);
    expect(scene.nowFlag).toMatchObject({ text: 'paused 12 m', glyph: true });
    expect(scene.overdueLabel?.strong).toBe('240 overdue');
    expect(scene.overdueLabel?.bracket).not.toBeNull();
  });

  it('flags a cliff with its exact count and instant', () => {
    const at = base + 10 * MINUTE;
    const buckets = flow.map(item => (item.fromAt === at ? bucket(at, 0, 3_140) : item));
    const { scene } = sceneOf(answerWith({ buckets, cliffs: [{ at, count: 3_120, series: 0 }] }));
    expect(scene.bars.tears).toHaveLength(1);
    expect(scene.named.flags).toMatchObject([{ strong: '3,120', rest: ' at 14:42' }]);
  });

  it('names the day of a cliff if the axis spans several, also for today', () => {
    const bucketMs = 12 * HOUR;
    const fromAt = Math.floor(NOW / bucketMs) * bucketMs;
    const answer = answerWith({
      bucketMs,
      buckets: [bucket(fromAt, 0, 500)],
      cliffs: [{ at: base + 10 * MINUTE, count: 500, series: 0 }],
    });
    const plot = plotOf(1000, 300);
    const { scene } = sceneOf(answer, {
      view: viewAt(NOW, { span: 44 * DAY, nowAt: 0.5 }, plot),
      scale: 900,
    });
    expect(scene.named.flags).toMatchObject([{ strong: '500', rest: ' at 21 Nov 14:42' }]);
  });

  it('flags the expired part of the bucket of now without the remaining documents', () => {
    const fromAt = NOW - 10 * MINUTE;
    const answer = answerWith({ bucketMs: HOUR, buckets: [bucket(fromAt, 498, 2)] });
    const plot = plotOf(1000, 300);
    const { scene } = sceneOf(answer, { view: viewAt(NOW, { span: 4 * HOUR, nowAt: 0.5 }, plot) });
    const flag = scene.named.flags[0];
    expect(flag?.strong).toBe('498');
    expect(flag?.x).toBeLessThan(scene.nowX);
  });

  it('leaves a caption out if the flag of now is in its place', () => {
    const at = (nowAt: number) =>
      sceneOf(answerWith({ buckets: flow }), {
        view: viewAt(NOW, { span: HOUR, nowAt }, plotOf(1000, 300)),
      }).scene.captions;
    expect(at(0.1)).toEqual({ expired: false, due: true });
    expect(at(0.5)).toEqual({ expired: true, due: true });
    expect(at(0.95)).toEqual({ expired: true, due: false });
  });

  it('points to now from the edge when panned away', () => {
    const { scene, slots } = sceneOf(answerWith({ buckets: flow }), {
      view: viewAt(NOW, { span: HOUR, nowAt: -0.5 }, plotOf(1000, 300)),
    });
    expect(scene.nowFlag).toMatchObject({ place: 'left', text: 'now 14:32:38' });
    expect(scene.captions).toEqual({ expired: false, due: true });
    expect(hitTest(scene, slots, scene.nowFlag.x + 5, 10)).toEqual({ kind: 'backToNow' });
  });

  it('shows only future documents in a preview, with those due at once at the line', () => {
    const answer = answerWith({ buckets: flow, overdue: 412_806, cutoff: null });
    const { scene } = sceneOf(answer, {
      variant: 'preview',
      overdueWord: 'expire at once',
      view: viewAt(NOW, { span: HOUR, nowAt: 0.035 }, plotOf(476, 190)),
    });
    expect(scene.bars.solid.flat()).toEqual([]);
    expect(scene.gap).toBeNull();
    expect(scene.overdue?.torn).toBe(true);
    expect(scene.overdueLabel).toMatchObject({ strong: '412,806 expire at once', rest: '' });
    expect(scene.overdueLabel?.box.x1).toBeGreaterThan(scene.nowX);
  });

  it('has an axis and no grid without documents', () => {
    const { scene } = sceneOf(answerWith());
    expect(scene.grid).toEqual([]);
    expect(scene.axis.length).toBeGreaterThan(5);
  });

  it('draws one block per document if there is room', () => {
    const few = answerWith({ buckets: [bucket(base + 5 * MINUTE, 0, 4)] });
    expect(sceneOf(few, { scale: 6 }).scene.bars).toMatchObject({ blocks: true });
    expect(sceneOf(few, { scale: 6 }).scene.bars.seams).toHaveLength(3 * 4);
    expect(sceneOf(few, { scale: 600 }).scene.bars.seams).toHaveLength(0);
  });

  it('finds the bucket under the pointer at any position', () => {
    const { scene, slots } = sceneOf(answerWith({ buckets: flow }));
    const { left, right, top, bottom } = scene.view.plot;
    fc.assert(
      fc.property(
        fc.integer({ min: left + 1, max: right - 1 }),
        fc.integer({ min: top, max: bottom }),
        (x, y) => {
          const hit = hitTest(scene, slots, x, y);
          expect(hit?.kind).toBe('bucket');
          if (hit?.kind !== 'bucket') return;
          const at = scene.view.from + ((x - left) / (right - left)) * HOUR;
          expect(hit.fromAt).toBeLessThanOrEqual(at);
          expect(hit.toAt).toBeGreaterThan(at);
        },
      ),
    );
    expect(hitTest(scene, slots, left - 10, 100)).toBeNull();
  });

  it('finds the overdue stack', () => {
    const late = answerWith({ buckets: flow, overdue: 15, oldestOverdueAt: NOW - 500, cutoff: NOW - 500 });
    const { scene, slots } = sceneOf(late);
    expect(hitTest(scene, slots, scene.nowX - 5, 270)).toEqual({ kind: 'overdue' });
    expect(hitTest(scene, slots, scene.nowX - 5, 40)?.kind).toBe('bucket');
  });

  it('tears no bar whose parts before and after now both fit the scale', () => {
    const from = NOW - 10_000;
    // Nearly all of 45 are before now: each side is as high as its own count.
    const uneven = answerWith({ bucketMs: MINUTE, buckets: [bucket(from - (from % MINUTE), 28, 1)] });
    expect(sceneOf(uneven, { scale: 28.8 }).scene.bars.tears).toEqual([]);
    expect(sceneOf(uneven, { scale: 20 }).scene.bars.tears).toHaveLength(1);
  });
});
