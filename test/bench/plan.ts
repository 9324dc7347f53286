import type { Keys, Order } from './documents.ts';
import type { StoryOptions } from './story.ts';

/** One process to start. */
export interface Run {
  readonly story: string;
  readonly options: Partial<StoryOptions> & { documents: number };
}

/** Sizes and repeats of a benchmark. */
export interface Scale {
  sizes: readonly { documents: number; repeats: number }[];
  /** Size and repeats of the stories with a foreground load. */
  beside: { documents: number; repeats: number; seconds: number };
  /** Keys of Redis, rows of PostgreSQL and leases of etcd in the stories of remote engines. */
  engines: { keys: number; rows: number; leases: number };
  /** NeDB keeps all documents in memory; Keyv syncs each key, about a thousand a second at any size. */
  nedbMost: number;
  keyvMost: number;
}

export const FULL: Scale = {
  sizes: [
    { documents: 10_000, repeats: 3 },
    { documents: 100_000, repeats: 3 },
    { documents: 1_000_000, repeats: 3 },
    { documents: 10_000_000, repeats: 1 },
  ],
  beside: { documents: 1_000_000, repeats: 3, seconds: 20 },
  engines: { keys: 1_000_000, rows: 10_000_000, leases: 10_000 },
  nedbMost: 100_000,
  keyvMost: 10_000,
};

export const QUICK: Scale = {
  sizes: [
    { documents: 10_000, repeats: 1 },
    { documents: 100_000, repeats: 1 },
  ],
  beside: { documents: 100_000, repeats: 1, seconds: 4 },
  engines: { keys: 100_000, rows: 100_000, leases: 1_000 },
  nedbMost: 10_000,
  keyvMost: 1_000,
};

/** Beyond this size only raw and ours run, in insertion order: raw takes about an hour in random order. */
const MOST_AT_RANDOM = 1_000_000;

/** Returns the runs in their order, each at most `mostRepeats` times. Compared stories run one after the other, repeat by repeat. */
export function planOf(
  { sizes, beside, engines, nedbMost, keyvMost }: Scale,
  mostRepeats = Number.POSITIVE_INFINITY,
): Run[] {
  const runs: Run[] = [];
  for (const { documents, repeats } of sizes) {
    for (let seed = 1; seed <= Math.min(repeats, mostRepeats); seed += 1) {
      const life = (story: string, keys: Keys, order: Order, retention = 0) =>
        runs.push({ story, options: { documents, seed, keys, order, retention } });
      life('raw-life', 'v7', 'insertion');
      life('ours-life', 'v7', 'insertion');
      if (documents > MOST_AT_RANDOM) continue;
      life('raw-life', 'v4', 'random');
      life('ours-life', 'v4', 'random');
      life('ours-life', 'v4', 'random', 86_400);
      life('ours-events', 'v4', 'random');
      life('redis-life', 'v4', 'random');
      life('redis-life', 'v7', 'random');
      life('postgres-life', 'v4', 'random');
      if (documents <= nedbMost) life('nedb-ingest', 'v4', 'random');
    }
  }
  runs.push({ story: 'keyv-ingest', options: { documents: keyvMost } });
  for (let seed = 1; seed <= Math.min(beside.repeats, mostRepeats); seed += 1) {
    const options = { documents: beside.documents, seconds: beside.seconds, seed };
    for (const story of ['redis-lag', 'ours-lag', 'ours-foreground', 'ours-build'])
      runs.push({ story, options });
    runs.push({ story: 'raw-batches', options: { documents: Math.min(beside.documents, 100_000), seed } });
    runs.push({ story: 'ours-start', options: { documents: 0, seed } });
  }
  runs.push({ story: 'ours-cycles', options: { documents: beside.documents / 10 } });
  runs.push({ story: 'engines-redis', options: { documents: engines.keys } });
  runs.push({ story: 'engines-etcd', options: { documents: engines.leases } });
  runs.push({ story: 'engines-postgres', options: { documents: engines.rows } });
  return runs;
}
