import { expect, it } from 'vitest';
import { SimulatedWorld } from './simulated-world.ts';

const RUNS = Number(process.env.RUNS ?? 300);
const FIRST = Number(process.env.SEED ?? 1);

it('[V5] any number of followers, with any skew, over any line, hold and show what the leader did', async () => {
  const met: Record<string, number> = {};
  for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
    const world = new SimulatedWorld(seed);
    try {
      await world.run(24);
      await world.close();
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
    for (const [what, count] of Object.entries(world.met)) met[what] = (met[what] ?? 0) + count;
  }
  console.log(met);
  expect(met.copies).toBeGreaterThan(RUNS);
}, 120_000);
