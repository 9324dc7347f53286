import { describe, expect, it } from 'vitest';
import { type CpuProfile, engineProfile, hottest } from '../bench/cpu-profile.ts';

function profile(frames: readonly [name: string, url: string, samples: number][]): CpuProfile {
  return {
    nodes: frames.map(([functionName, url], id) => ({ id, callFrame: { functionName, url, lineNumber: 9 } })),
    samples: frames.flatMap(([, , samples], id) => Array.from({ length: samples }, () => id)),
  };
}

const client = profile([['ask', 'file:///p/test/bench/stories/ours-foreground.ts', 9]]);
const thread = profile([
  ['', 'file:///p/dist/node/engine-thread.js', 1],
  ['put', 'file:///p/dist/node/engine-thread.js', 3],
  ['(idle)', '', 96],
]);
const inOneThread = profile([['put', 'file:///p/electron/engine/backends/embedded/store.ts', 1]]);

describe('the CPU profile of the engine', () => {
  it('is that of the engine thread, otherwise that of the thread that runs the engine', () => {
    expect(engineProfile([client, inOneThread, thread])).toBe(thread);
    expect(engineProfile([client, inOneThread])).toBe(inOneThread);
    expect(engineProfile([client])).toBeUndefined();
  });

  it('lists functions by their share of the time in which the thread was busy', () => {
    expect(hottest(thread, 5)).toEqual([
      { name: 'put', place: 'node/engine-thread.js:10', percent: 75 },
      { name: '(anonymous)', place: 'node/engine-thread.js:10', percent: 25 },
    ]);
    expect(hottest(thread, 1)).toHaveLength(1);
  });
});
