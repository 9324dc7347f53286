import { describe, expect, it } from 'vitest';
import {
  colourPlaces,
  weightOf as weightOfCollection,
} from '../../../../../renderer/components/figures/series-colours.ts';
import { foldSeries } from '../../../../../renderer/features/timeline/model/fold-series.ts';
import { answerWith, bucket } from '../build.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const weights: Record<string, number> = { a: 10, b: 1, c: 90, d: 2, e: 40, f: 30, g: 80, h: 3 };
const weightOf = (id: string) => weights[id] ?? 0;

describe('the colours of series', () => {
  it('are distinct for up to five, and grey for the series of least weight of six', () => {
    const five = colourPlaces(['m1', 'm2', 'm3', 'm4', 'm5'], () => 0);
    expect([...five.values()].sort()).toEqual([0, 1, 2, 3, 4]);
    const weight: Record<string, number> = { m1: 9, m2: 8, m3: 7, m4: 6, m5: 5, big: 100 };
    const six = colourPlaces(Object.keys(weight), id => weight[id] ?? 0);
    expect(six.has('big')).toBe(true);
    expect(six.has('m5')).toBe(false);
  });

  it('are bright for up to three series, and dark only if the bright ones are in use', () => {
    expect([...colourPlaces(['b1', 'b2', 'b3'], () => 0).values()].sort()).toEqual([0, 1, 2]);
    expect([...colourPlaces(['b1', 'b2', 'b3', 'b4'], () => 0).values()].sort()).toEqual([0, 1, 2, 3]);
    expect([...colourPlaces(['alone'], () => 0).values()][0]).toBeLessThan(3);
  });

  it('stay with their series when other ones are added or removed', () => {
    const first = colourPlaces(['n1', 'n2', 'n3'], () => 0);
    const second = colourPlaces(['added', 'n2', 'n3', 'zoo'], () => 0);
    expect([second.get('n2'), second.get('n3')]).toEqual([first.get('n2'), first.get('n3')]);
    expect(colourPlaces(['n1'], () => 0).get('n1')).toBe(first.get('n1'));
  });

  it('do not change if the whole store is paused, and a single paused collection has one', () => {
    const names = ids.map(id => `p${id}`);
    const collection = (id: string, state: string) =>
      weightOfCollection({ state, withDeadline: weights[id.slice(1)] ?? 0 });
    const running = [...colourPlaces(names, id => collection(id, 'running')).keys()];
    expect([...colourPlaces(names, id => collection(id, 'paused')).keys()]).toEqual(running);
    const alone = colourPlaces(names, id => collection(id, id === 'pb' ? 'paused' : 'running'));
    expect(alone.has('pb')).toBe(true);
  });

  it('belong to the five of greatest weight, and do not change with small differences', () => {
    expect([...colourPlaces(ids, weightOf).keys()]).toEqual(['a', 'c', 'e', 'f', 'g']);
    expect([...colourPlaces(ids, id => (id === 'h' ? 15 : weightOf(id))).keys()]).toContain('a');
    expect([...colourPlaces(ids, id => (id === 'h' ? 25 : weightOf(id))).keys()]).toContain('h');
  });
});

it('series without a colour are merged, with the same total', () => {
  const answer = answerWith({
    series: ids.map(id => ({
      id,
      label: id,
      pausedSince: id === 'b' ? 5 : null,
      overdue: id === 'b' ? 3 : 0,
    })),
    overdue: 3,
    buckets: [
      bucket(
        0,
        ids.map((_, i) => i),
        ids.map((_, i) => 10 * i),
      ),
    ],
    cliffs: [
      { at: 1, count: 7, series: 7 },
      { at: 2, count: 8, series: 2 },
    ],
  });
  const folded = foldSeries(answer, new Map(['a', 'c', 'e', 'f', 'g'].map((id, place) => [id, place])));
  expect(folded.series.map(({ label }) => label)).toEqual(['a', 'c', 'e', 'f', 'g', '3 others']);
  expect(folded.series.at(-1)).toMatchObject({ pausedSince: 5, overdue: 3 });
  expect(folded.series.map(({ colour }) => colour)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(folded.buckets).toEqual([bucket(0, [0, 2, 4, 5, 6, 1 + 3 + 7], [0, 20, 40, 50, 60, 110])]);
  expect(folded.cliffs.map(({ series }) => series)).toEqual([5, 1]);
});
