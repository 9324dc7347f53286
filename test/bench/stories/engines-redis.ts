import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { Redis } from 'ioredis';
import { openRedis, type RedisBackend } from '../../../electron/engine/backends/redis/redis-backend.ts';
import { MeterRegistry } from '../../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { type Figures, median, quantile, timed } from '../figures.ts';
import { type Foreground, p99, startForeground } from '../load/foreground.ts';
import { HOUR_MS, type Story } from '../story.ts';

const PREFIXES = ['session', 'cache', 'lock', 'rate', 'token', 'job', 'page', 'user', 'cart', 'otp'];
const SPANS_MS = [60_000, HOUR_MS, 24 * HOUR_MS, 720 * HOUR_MS];
const TIMES = 20;
const KEYS_A_SCRIPT = 20_000;
const SCANNED_AT_ONCE = 1_000;
const BURNER = fileURLToPath(new URL('../load/burner.ts', import.meta.url));

/**
 * A Redis server of many keys, mirrored: the time, the p99 of another client meanwhile against the same beside a process
 * that burns as much CPU, and then the timeline. A loop of SCAN and PEXPIRETIME into a table is the comparison.
 */
export const enginesRedis: Story = async ({ documents }, folder): Promise<Figures> => {
  const server = await startRedisServer('--notify-keyspace-events', 'KEA');
  const client = new Redis(server.uri);
  try {
    await fill(client, documents);
    await using foreground = await startForeground('redis-foreground.ts', server.uri);
    await foreground.take();
    const cpuBefore = process.cpuUsage();
    const opened: { backend?: RedisBackend } = {};
    const mirrorMs = await timed(async () => {
      opened.backend = await openRedis({
        uri: server.uri,
        mirrorFile: join(folder, 'mirror.sqlite'),
        clock: systemClock,
        log: createLogger('warn', () => systemClock.now()),
        meters: new MeterRegistry(),
        readOnly: false,
      });
      while (opened.backend.remote.mirror?.is !== 'live') await sleep(20);
    });
    const { user, system } = process.cpuUsage(cpuBefore);
    const share = Math.min(1, (user + system) / 1_000 / mirrorMs);
    const mirroring = p99(await foreground.take());
    const { backend } = opened;
    if (backend === undefined) throw new Error('the server was not opened');
    const timelines = await timelinesOf(backend);
    await backend.close();
    const burning = await besideBurner(foreground, share, Math.min(mirrorMs, 15_000));
    const loopMs = await timed(() => plainLoop(client, join(folder, 'loop.sqlite')));
    return {
      mirrorMs,
      loopMs,
      cpuShare: share,
      clientP99Ms: mirroring,
      burnerP99Ms: burning,
      timelineMs: median(timelines),
      timelineMaxMs: quantile(timelines, 0.99),
    };
  } finally {
    client.disconnect();
    await server.stop();
  }
};

/** Keys of ten prefixes, nine of ten with a deadline within a day. */
async function fill(client: Redis, keys: number): Promise<void> {
  const script = `math.randomseed(tonumber(ARGV[1]))
    for i = ARGV[1], ARGV[2] do
      local key = KEYS[1 + i % #KEYS] .. ':' .. i
      if i % 10 == 0 then redis.call('SET', key, 'v')
      else redis.call('SET', key, 'v', 'PX', 3600000 + math.random(82800000)) end
    end`;
  for (let from = 0; from < keys; from += KEYS_A_SCRIPT)
    await client.eval(script, PREFIXES.length, ...PREFIXES, from, Math.min(keys, from + KEYS_A_SCRIPT) - 1);
}

async function timelinesOf({ reads }: RedisBackend): Promise<number[]> {
  const now = systemClock.now();
  const durations: number[] = [];
  for (let i = 0; i < TIMES; i += 1) {
    for (const spanMs of SPANS_MS) {
      const from = now + 12 * HOUR_MS - spanMs / 2 + i;
      durations.push(await timed(() => reads.timeline({ from, to: from + spanMs, buckets: 300 }, now)));
    }
  }
  return durations;
}

/** Returns the p99 of the other client beside a process that burns a share of one processor, ms. */
async function besideBurner(foreground: Foreground, share: number, ms: number): Promise<number> {
  const burner = spawn(process.execPath, [BURNER, String(share)], { stdio: 'ignore' });
  try {
    await sleep(500);
    await foreground.take();
    await sleep(ms);
    return p99(await foreground.take());
  } finally {
    burner.kill('SIGKILL');
  }
}

async function plainLoop(client: Redis, file: string): Promise<void> {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.exec(
    'CREATE TABLE keys (id TEXT PRIMARY KEY, at INTEGER) WITHOUT ROWID; CREATE INDEX by_at ON keys (at)',
  );
  const put = db.prepare('INSERT OR REPLACE INTO keys VALUES (?, ?)');
  let cursor = '0';
  do {
    const [next, keys] = await client.scan(cursor, 'COUNT', SCANNED_AT_ONCE);
    const pipeline = client.pipeline();
    for (const key of keys) pipeline.call('PEXPIRETIME', key);
    const replies = (await pipeline.exec()) ?? [];
    db.transaction(() => {
      for (const [i, key] of keys.entries()) put.run(key, Number(replies[i]?.[1] ?? -1));
    })();
    cursor = next;
  } while (cursor !== '0');
  db.close();
}
