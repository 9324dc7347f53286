import type { Story } from './story.ts';

/** Loads a story when it runs: a peer that is not installed fails its own stories only. */
const from =
  (load: () => Promise<Story>): Story =>
  async (...given) =>
    (await load())(...given);

export const STORIES: Readonly<Record<string, Story>> = {
  'ours-life': from(async () => (await import('./stories/ours.ts')).oursLife),
  'ours-cycles': from(async () => (await import('./stories/ours.ts')).oursCycles),
  'ours-foreground': from(async () => (await import('./stories/ours-foreground.ts')).oursForeground),
  'ours-build': from(async () => (await import('./stories/ours-foreground.ts')).oursBuild),
  'ours-events': from(async () => (await import('./stories/ours-events.ts')).oursEvents),
  'ours-lag': from(async () => (await import('./stories/ours-lag.ts')).oursLag),
  'ours-start': from(async () => (await import('./stories/ours-start.ts')).oursStart),
  mirror: from(async () => (await import('./stories/mirror.ts')).mirror),
  'engines-redis': from(async () => (await import('./stories/engines-redis.ts')).enginesRedis),
  'engines-postgres': from(async () => (await import('./stories/engines-postgres.ts')).enginesPostgres),
  'engines-etcd': from(async () => (await import('./stories/engines-etcd.ts')).enginesEtcd),
  partitions: from(async () => (await import('./stories/partitions.ts')).partitions),
  'raw-life': from(async () => (await import('./stories/raw.ts')).rawLife),
  'raw-batches': from(async () => (await import('./stories/raw.ts')).rawBatches),
  'statements-life': from(async () => (await import('./stories/statements.ts')).statementsLife),
  'redis-life': from(async () => (await import('./stories/redis.ts')).redisLife),
  'redis-lag': from(async () => (await import('./stories/redis.ts')).redisLag),
  'postgres-reaper': from(async () => (await import('./stories/postgres-reaper.ts')).postgresReaper),
  'postgres-life': from(async () => (await import('./stories/postgres.ts')).postgresLife),
  'nedb-ingest': from(async () => (await import('./stories/nedb.ts')).nedbIngest),
  'keyv-ingest': from(async () => (await import('./stories/keyv.ts')).keyvIngest),
};
