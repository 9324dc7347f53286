import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { SECOND } from '../../support/engine.ts';
import { Random } from '../../support/random.ts';
import { serverSentEvents } from '../../support/server-sent-events.ts';
import type { HostUnderLoad } from './host-under-load.ts';

/** Repeats its calls until `isOver`. Counts are in `met`. */
type Actor = (load: Load, random: Random) => Promise<void>;

export interface Load {
  readonly host: HostUnderLoad;
  /** Longest time to a deadline, ms of the store's clock. */
  readonly horizonMs: number;
  readonly met: Record<string, number>;
  /** Acknowledged documents without a deadline, of a fixed number. */
  readonly kept: Set<string>;
  /** End of the load, by `performance.now()`. */
  readonly endsAt: number;
}

export const COLLECTION = 'load';
const PATH = `/api/collections/${COLLECTION}`;
/** Written again and again: the collection stays as large as it is. */
const IDS = 400;
const KEPT = 200;
/** Most documents of a restore: they are pinned until the same ids are written again. */
const RESTORED = 5;

const job = z.object({ id: z.string(), state: z.enum(['running', 'done', 'failed', 'cancelled']) });
const expired = z.object({ expired: z.array(z.object({ id: z.string(), restorable: z.unknown() })) });
const storeAnswer = z.object({ revision: z.number() });

function count({ met }: Load, what: string, by = 1): void {
  met[what] = (met[what] ?? 0) + by;
}

function deadline({ host, horizonMs }: Load, random: Random): number {
  return host.now() + random.between(SECOND, horizonMs);
}

function documentText(load: Load, random: Random): string {
  return JSON.stringify({ exp: deadline(load, random), text: 'x'.repeat(random.between(0, 1_000)) });
}

/** Waits between two calls, at most until the end. */
async function pause(load: Load, ms: number): Promise<void> {
  await wait(Math.min(ms, leftMs(load)));
}

function leftMs({ endsAt }: Load): number {
  return Math.max(0, endsAt - performance.now());
}

export function isOver(load: Load): boolean {
  return leftMs(load) === 0;
}

async function put(load: Load, random: Random): Promise<void> {
  const id = `d${random.between(1, IDS)}`;
  await load.host.target.request('PUT', `${PATH}/documents/${id}`, { body: documentText(load, random) });
  count(load, 'puts');
  await pause(load, random.between(50, 150));
}

async function keep(load: Load, random: Random): Promise<void> {
  const id = `kept${random.between(1, KEPT)}`;
  const answer = await load.host.target.request('PUT', `${PATH}/documents/${id}`, {
    body: '{"is": "kept"}',
  });
  if (answer?.status === 200) load.kept.add(id);
  await pause(load, 200);
}

async function read(load: Load, random: Random): Promise<void> {
  const now = load.host.now();
  const path = random.pick([
    `${PATH}/documents?limit=100`,
    `${PATH}/documents?limit=100&includeExpired=true&sort=deadline`,
    `/api/timeline?collection=${COLLECTION}&from=${now}&to=${now + load.horizonMs}&buckets=60`,
    '/api/reaper',
    '/api/expired?limit=50',
    '/api/metrics',
    '/api/jobs',
    '/metrics',
  ]);
  await load.host.target.read(path);
  count(load, 'reads and lists');
  await pause(load, random.between(20, 100));
}

async function importLines(load: Load, random: Random): Promise<void> {
  const lines = Array.from({ length: random.between(10, 100) }, () => documentText(load, random));
  await load.host.target.request('POST', `${PATH}/documents`, {
    body: `${lines.join('\n')}\n`,
    type: 'application/x-ndjson',
  });
  count(load, 'imported documents', lines.length);
  await pause(load, random.between(1_000, 4_000));
}

async function change(load: Load, random: Random): Promise<void> {
  const ids = Array.from({ length: random.between(1, 5) }, () => `d${random.between(1, IDS)}`);
  const { target } = load.host;
  if (random.chance(0.3))
    await target.request('POST', `${PATH}/deletions`, { body: JSON.stringify({ ids }) });
  else {
    const set = { at: deadline(load, random) };
    await target.request('POST', `${PATH}/expirations`, { body: JSON.stringify({ ids, set }) });
  }
  count(load, 'bulk changes');
  await pause(load, random.between(100, 500));
}

async function restore(load: Load, random: Random): Promise<void> {
  const { target } = load.host;
  const answer = await target.read(`/api/expired?limit=${RESTORED}`);
  if (answer?.status === 200) {
    const entries = expired.parse(JSON.parse(answer.text)).expired;
    const ids = entries.flatMap(({ id, restorable }) => (restorable === null ? [] : id));
    const body = JSON.stringify({ what: { ids }, expiration: { at: deadline(load, random) } });
    if (ids.length > 0) await target.request('POST', '/api/expired/restore', { body });
    count(load, 'restored entries', ids.length);
  }
  await pause(load, random.between(1_000, 5_000));
}

/** A watch that is opened, receives some events or none, and is closed. */
async function watch(load: Load, random: Random): Promise<void> {
  const { target } = load.host;
  const store = await target.read('/api/store');
  if (store?.status === 200 && target.host !== null) {
    const { revision } = storeAnswer.parse(JSON.parse(store.text));
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), Math.min(random.between(100, 4_000), leftMs(load)));
    let left = random.pick([1, 30, 500]);
    try {
      const response = await fetch(
        `${target.host.origin}/api/events?from=${Math.max(1, revision - random.between(0, 50))}`,
        { signal: abort.signal, headers: { authorization: `Bearer ${target.host.token}` } },
      );
      if (response.status !== 200 && response.status !== 410)
        target.complain(`a watch was answered ${response.status}`);
      else if (response.status === 200)
        for await (const _ of serverSentEvents(response)) {
          count(load, 'events of watches');
          left -= 1;
          if (left <= 0) break;
        }
    } catch (error) {
      if (!abort.signal.aborted) target.complain(`a watch ended with ${String(error)}`);
    } finally {
      clearTimeout(timer);
      abort.abort();
    }
    count(load, 'watches');
  }
  await pause(load, random.between(50, 300));
}

async function backup(load: Load, random: Random): Promise<void> {
  const { target, folder } = load.host;
  const file = `backup-${load.met.backups ?? 0}.sandglass`;
  const started = await target.request('POST', '/api/backup', { body: JSON.stringify({ file }) });
  if (started?.status !== 200) target.complain(`a backup was answered ${started?.status} ${started?.text}`);
  else {
    let { id, state } = job.parse(JSON.parse(started.text));
    while (state === 'running') {
      await wait(200);
      const answer = await target.read(`/api/jobs/${id}`);
      if (answer?.status !== 200) break;
      ({ id, state } = job.parse(JSON.parse(answer.text)));
    }
    if (state !== 'done') target.complain(`a backup is ${state}`);
    rmSync(join(folder, file), { force: true });
    count(load, 'backups');
  }
  await pause(load, random.between(5_000, 20_000));
}

const ACTORS: readonly Actor[] = [
  put,
  put,
  keep,
  read,
  read,
  importLines,
  change,
  restore,
  watch,
  watch,
  backup,
];

/** Resolves when all callers have ended. */
export async function runLoad(load: Load, random: Random): Promise<void> {
  await Promise.all(
    ACTORS.map(async act => {
      const own = new Random(random.between(0, 2 ** 31));
      while (!isOver(load)) await act(load, own);
    }),
  );
}
