import { expect, it } from 'vitest';
import { SimulatedWorld } from './simulated-world.ts';

/** SIMULATION_SEED=27 SIMULATION_RUNS=1 repeats one history. */
const FIRST = Number(process.env.SIMULATION_SEED ?? 1);
const RUNS = Number(process.env.SIMULATION_RUNS ?? 20);
const STEPS = 10;
/** Each history takes half a second on an idle machine. */
const PATIENCE_MS = Math.max(600_000, RUNS * 5_000);

it(
  '[V5] any number of followers, with any skew, over any network, show the leader’s documents or report STALE',
  async () => {
    const met: Record<string, number> = {};
    for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
      const world = new SimulatedWorld(seed);
      try {
        await world.run(STEPS);
        await world.close();
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        throw new Error(`seed ${seed}: ${message}\n${world.lastComplaints}`, { cause: error });
      }
      for (const [what, count] of Object.entries(world.met)) met[what] = (met[what] ?? 0) + count;
    }
    if (process.env.SIMULATION_SHOWS !== undefined) console.info(met);
    // Each kind of failure occurs, on average over many histories.
    if (RUNS < 20) return;
    for (const what of ['compared', 'seen', 'stale', 'revisions'])
      expect(met[what], what).toBeGreaterThan(RUNS);
    for (const what of ['copies', 'trouble']) expect(met[what], what).toBeGreaterThan(RUNS / 10);
    for (const who of ['leaderRestarts', 'leaderKills', 'followerRestarts', 'followerKills'])
      expect(met[who], who).toBeGreaterThan(RUNS / 20);
    for (const what of ['intervals', 'replayedIntervals', 'endedUnswept', 'comparedUnswept'])
      expect(met[what], what).toBeGreaterThan(RUNS / 20);
    for (const what of ['endedWatches', 'watchedEvents', 'purgedFollowers', 'endedBuilds'])
      expect(met[what], what).toBeGreaterThan(RUNS / 50);
  },
  PATIENCE_MS,
);
