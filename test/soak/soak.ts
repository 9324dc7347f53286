import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { Random } from '../support/random.ts';
import { disagreements } from '../support/recount.ts';
import { startServedHost } from '../support/served-host.ts';
import {
  type Actor,
  abuser,
  costlyReader,
  definer,
  importer,
  keeper,
  largeBodies,
  reader,
} from './actors.ts';
import { growth, type MemoryReading, residentBytes } from './memory.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { Target } from './target.ts';

export interface SoakOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Called about every ten seconds with one line. */
  readonly onProgress?: (line: string) => void;
}

export interface SoakReport {
  readonly complaints: readonly string[];
  /** Restarts by SIGTERM and by SIGKILL, and times the disk was filled. */
  readonly restarts: number;
  readonly kills: number;
  readonly fillings: number;
  /** Memory readings of each process of the host. */
  readonly memory: readonly (readonly MemoryReading[])[];
  /** Growth of memory in the longest process: last third divided by middle third. */
  readonly growth: number | null;
  readonly largestBytes: number;
  readonly slowestReadMs: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Acknowledged documents that still exist. */
  readonly kept: number;
}

/** Number of complaints that are printed during the run; the report contains all of them. */
const MOST_PRINTED = 20;
/** Furthest deadline of a document that expires: the end of a soak waits for it. */
const LONGEST_AHEAD_MS = 15_000;
const DISK_MIB = 512;
/** The history of expired documents takes about 4 MB a minute, and is kept for days. */
const DISK_MIB_PER_MINUTE = 25;
const FREE_WHILE_FULL = 64 * 1024;

/**
 * Runs a served host for `seconds` under hostile and ordinary callers, restarts it, and fills its disk where this user may
 * mount a small one. Reports every 5xx but 507 on a full disk, slow ordinary reads, missing acknowledged
 * documents, and inconsistent counts at the end.
 */
export async function soak({ seconds, seed, onProgress = () => {} }: SoakOptions): Promise<SoakReport> {
  const disk = mountSmallDisk(DISK_MIB + Math.round((seconds / 60) * DISK_MIB_PER_MINUTE));
  if (disk === null)
    onProgress('No small disk can be mounted here (it needs root on Linux): it is not filled.');
  const folder = disk?.folder ?? mkdtempSync(join(tmpdir(), 'sandglass-soak-'));
  const target = new Target(({ second, what }) => {
    if (target.complaints.length <= MOST_PRINTED) onProgress(`${second} s: ${what}`);
  });
  try {
    return await run(folder, disk, seconds, new Random(seed), target, onProgress);
  } finally {
    // Reached after a failure only: a complete run has stopped the host.
    await target.host?.stop('SIGKILL');
    if (disk === null) rmSync(folder, { recursive: true, force: true });
    else disk.unmount();
  }
}

async function run(
  folder: string,
  disk: SmallDisk | null,
  seconds: number,
  random: Random,
  target: Target,
  onProgress: (line: string) => void,
): Promise<SoakReport> {
  const acknowledged = new Set<string>();
  const memory: MemoryReading[][] = [];
  let readToken: string | null = null;
  let [restarts, kills, fillings] = [0, 0, 0];

  const start = async () => {
    target.use(await startServedHost({ folder, flags: ['--log-level', 'error'] }));
    memory.push([]);
  };
  const restart = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const { host } = target;
    target.use(null);
    const began = performance.now();
    const code = await host?.stop(signal);
    if (signal === 'SIGTERM' && code !== 0)
      target.complain(`it ended with ${code} on SIGTERM: ${host?.output()}`);
    const tookMs = performance.now() - began;
    if (tookMs > 20_000) target.complain(`it took ${Math.round(tookMs)} ms to end on ${signal}`);
    await start();
    if (signal === 'SIGTERM') restarts++;
    else kills++;
  };

  await start();
  await target.request('POST', '/api/collections', { body: '{"name": "soak"}' });
  await target.request('POST', '/api/collections/soak/ttl-indexes', {
    body: JSON.stringify({
      name: 'exp',
      source: { kind: 'field', field: 'exp', unit: 'milliseconds', expireAfter: 0 },
      retention: 5,
    }),
  });
  const made = await target.request('POST', '/api/tokens', {
    body: '{"name": "reader", "permission": "read"}',
  });
  if (made !== null) readToken = String((JSON.parse(made.text) as { token?: unknown }).token);

  const endsAt = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() >= endsAt;
  const cast: Actor[] = [
    keeper(acknowledged),
    importer(Math.min(LONGEST_AHEAD_MS, seconds * 200)),
    reader,
    reader,
    costlyReader,
    definer,
    abuser,
    abuser,
    largeBodies(() => readToken),
  ];
  const acting = cast.map(actor => actor(target, new Random(random.between(0, 2 ** 31)), isOver));

  const watcher = (async () => {
    const everyMs = Math.max(250, (seconds * 1_000) / 600);
    let reported = 0;
    while (!isOver()) {
      await wait(everyMs);
      const pid = target.host?.process.pid;
      const bytes = pid === undefined ? null : residentBytes(pid);
      if (bytes !== null) memory.at(-1)?.push({ second: target.second, bytes });
      if (target.second >= reported + 10) {
        reported = target.second;
        onProgress(
          `${reported} s: ${Math.round((bytes ?? 0) / 1e6)} MB, ${acknowledged.size} kept, ${restarts} restarts, ${kills} kills, ${fillings} fillings, ${target.complaints.length} complaints`,
        );
      }
    }
  })();

  const upheaval = (async () => {
    // Three processes: one is stopped, one is killed, the last and longest shows whether memory grows.
    const quiet = async (until: number) => {
      while (!isOver() && performance.now() < endsAt - seconds * 1_000 * until) await wait(100);
    };
    const fill = async () => {
      if (disk === null || isOver()) return;
      target.isFull = true;
      disk.fill(FREE_WHILE_FULL);
      fillings++;
      await wait(Math.min(10_000, seconds * 100));
      disk.empty();
      await wait(3_000);
      target.isFull = false;
    };
    await quiet(0.9);
    await fill();
    await quiet(0.75);
    await restart('SIGTERM');
    await quiet(0.65);
    await restart('SIGKILL');
    for (let left = 0.5; left > 0.1; left -= 0.1) {
      await quiet(left);
      await fill();
    }
  })();

  await Promise.all([...acting, watcher, upheaval]);

  const found = await idsKept(target);
  let kept = 0;
  if (found === null) target.complain('what was acknowledged could not be read at the end');
  else
    for (const id of acknowledged) {
      if (found.has(id)) kept++;
      else target.complain(`${id} was acknowledged and is gone`);
    }

  await settle(target);
  const { host } = target;
  target.use(null);
  await host?.stop('SIGTERM');
  for (const one of disagreements(join(folder, 'test.sandglass'))) target.complain(`recount: ${one}`);

  const longest = memory.toSorted((a, b) => b.length - a.length)[0] ?? [];
  return {
    complaints: target.complaints.map(({ second, what }) => `${second} s: ${what}`),
    restarts,
    kills,
    fillings,
    memory,
    growth: growth(longest),
    largestBytes: Math.max(0, ...memory.flat().map(({ bytes }) => bytes)),
    slowestReadMs: Math.round(target.slowestReadMs),
    statuses: Object.fromEntries([...target.statuses].sort()),
    kept,
  };
}

/** Returns the `_id`s of the documents without a deadline; null if a read failed. */
async function idsKept(target: Target): Promise<Set<string> | null> {
  const ids = new Set<string>();
  let after: string | null = '';
  while (after !== null) {
    const cursor = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const answer = await target.read(`/api/collections/soak/documents?limit=1000&state=never${cursor}`);
    if (answer?.status !== 200) return null;
    const page = JSON.parse(answer.text) as { documents: { _id: string }[]; next: string | null };
    for (const { _id } of page.documents) ids.add(_id);
    after = page.next;
  }
  return ids;
}

const NOTHING_DUE = z.object({ overdue: z.literal(0), nextDeadlineAt: z.null() });
const ALL_SWEPT = z.object({ unswept: z.literal(0) });
const NO_JOB_RUNS = z.array(z.object({ state: z.enum(['done', 'failed', 'cancelled']) }));

/** Waits until no document is due, no job runs and all rows are swept, 60 s at most. */
async function settle(target: Target): Promise<void> {
  const read = async (path: string): Promise<unknown> =>
    JSON.parse((await target.read(path))?.text ?? 'null');
  for (let tries = 0; tries < 240; tries++) {
    await wait(250);
    const [collection, reaper, jobs] = await Promise.all([
      read('/api/collections/soak'),
      read('/api/reaper'),
      read('/api/jobs'),
    ]);
    if (
      NOTHING_DUE.safeParse(collection).success &&
      ALL_SWEPT.safeParse(reaper).success &&
      NO_JOB_RUNS.safeParse(jobs).success
    )
      return;
  }
}
