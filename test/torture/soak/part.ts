import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { DEFAULT_SETTINGS } from '../../../shared/contract/settings.ts';
import type { Target } from '../../soak/target.ts';
import { Random } from '../../support/random.ts';
import { disagreements } from '../../support/recount.ts';
import type { Part, Report, Run } from '../part.ts';
import { type Flatness, flatness } from './flatness.ts';
import { HostUnderLoad } from './host-under-load.ts';
import { COLLECTION, isOver, type Load, runLoad } from './load.ts';
import { collectGarbage, type Reading, readResources } from './resources.ts';

const DAY_SECONDS = 86_400;
const QUICK_SECONDS = 2;
const QUICK_SPEED = 200;
/** Readings of a run; each at most every two seconds. */
const READINGS = 200;
const SETTLE_MS = 120_000;
const MOST_BATCH_MS = 1_000;
const MOST_CHARACTERS = 300;

/**
 * A served host under the calls of an ordinary day: half of the time with a clock that runs so fast that a day passes,
 * half with the machine's. Memory, files, handles and threads must stay as they are, and nothing acknowledged may be lost.
 */
export const SOAK: Part = {
  name: 'soak',
  title: 'a day of mixed load',
  share: 2,
  missing: process.platform === 'linux' ? undefined : 'reads /proc, which is Linux’s',
  async run(run) {
    const done: Record<string, number | string> = {};
    const failures: string[] = [];
    const left = run.isQuick ? QUICK_SECONDS : (run.endsAt - performance.now()) / 1_000 / 2;
    const clocks = run.isQuick
      ? [{ name: 'moved clock', speed: QUICK_SPEED }]
      : [
          { name: 'moved clock', speed: Math.max(1, DAY_SECONDS / left) },
          { name: 'real clock', speed: 1 },
        ];
    for (const { name, speed } of clocks) {
      const report = await soak(run, join(run.folder, name.replace(' ', '-')), left, speed);
      for (const [what, figure] of Object.entries(report.done)) done[`${name}: ${what}`] = figure;
      failures.push(...report.failures.map(failure => `${name}: ${failure}`));
    }
    return { done, failures };
  },
};

async function soak(run: Run, folder: string, seconds: number, speed: number): Promise<Report> {
  mkdirSync(folder);
  const host = await HostUnderLoad.start(folder, speed, line => run.say(`soak: ${line}`));
  const { target } = host;
  const readings: Reading[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  const load: Load = {
    host,
    // A tenth of the time: the collection has its size before the readings are judged.
    horizonMs: Math.max(5_000, seconds * speed * 100),
    met: {},
    kept: new Set(),
    endsAt,
  };
  try {
    await prepare(load);
    const reading = takeReadings(load, readings, Math.max(1_000, (seconds * 1_000) / READINGS), run);
    await runLoad(load, new Random(run.seed));
    await reading;
    await comeToRest(load);
  } finally {
    const output = await host.stop();
    if (output.includes('"level":"error"')) target.complain(`it logged an error: ${output.slice(-500)}`);
  }
  for (const line of disagreements(host.file))
    target.complain(`the recount found ${line.slice(0, MOST_CHARACTERS)}`);
  rmSync(folder, { recursive: true, force: true });
  const flat = flatness(readings);
  const failures = [
    ...target.complaints.map(({ second, what }) => `${second} s: ${what}`),
    ...flat
      .filter(({ growth, mostGrowth }) => growth > mostGrowth)
      .map(one => `${one.resource} is not flat: ${described(one)}`),
  ];
  const figures = Object.fromEntries(flat.map(one => [one.resource, described(one)]));
  const hours = Number(((seconds * speed) / 3_600).toFixed(2));
  return {
    done: {
      'hours of the store': hours,
      readings: readings.length,
      ...load.met,
      removed: readings.at(-1)?.removed ?? 0,
      'most connections of clients': Math.max(0, ...readings.map(({ connections }) => connections)),
      ...figures,
    },
    failures,
  };
}

async function prepare({ host, horizonMs }: Load): Promise<void> {
  const calls: [string, string, unknown][] = [
    ['POST', '/api/collections', { name: COLLECTION }],
    [
      'POST',
      `/api/collections/${COLLECTION}/ttl-indexes`,
      { name: 'exp', source: { kind: 'field', field: 'exp', unit: 'milliseconds', expireAfter: 0 } },
    ],
    // Copies and log end within the horizon; what is due at once is no accident.
    [
      'PATCH',
      '/api/settings',
      {
        logBytes: 1024 * 1024,
        logSeconds: Math.max(60, Math.round(horizonMs / 1_000)),
        retention: Math.round(horizonMs / 1_000),
        breakerDocuments: 1_000_000,
        // As long on the machine as with its own clock.
        batchMs: Math.min(MOST_BATCH_MS, DEFAULT_SETTINGS.batchMs * host.speed),
        batchMsWhileCallsWait: Math.min(MOST_BATCH_MS, DEFAULT_SETTINGS.batchMsWhileCallsWait * host.speed),
      },
    ],
  ];
  for (const [method, path, body] of calls) {
    const answer = await host.target.request(method, path, { body: JSON.stringify(body) });
    if (answer === null || answer.status >= 300) throw new Error(`${path}: ${answer?.text}`);
  }
}

async function takeReadings(load: Load, readings: Reading[], everyMs: number, run: Run): Promise<void> {
  const { host } = load;
  const { target, file, heapFolder } = host;
  for (let i = 1; !isOver(load); i++) {
    await wait(everyMs);
    await collectGarbage(heapFolder);
    const removed = await removedSoFar(load);
    if (host.pid === null || removed === null) continue;
    const reading = readResources({ pid: host.pid, file, heapFolder }, { second: target.second, removed });
    if (reading === null) target.complain('its process has ended');
    else readings.push(reading);
    if (i % 20 === 0) run.say(`soak: ${JSON.stringify(reading)}`);
  }
}

async function removedSoFar({ host }: Load): Promise<number | null> {
  const answer = await host.target.read('/metrics');
  if (answer?.status !== 200) return null;
  const values = [...answer.text.matchAll(/^sandglass_ttl_expired_total\{[^}]*\} (\d+)$/gm)];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}

const documents = z.object({
  documents: z.array(z.object({ _id: z.string() })),
  next: z.string().nullable(),
});
const overdue = z.object({ overdue: z.number() }).transform(answer => answer.overdue);
const unswept = z.object({ unswept: z.number() }).transform(answer => answer.unswept);

/** Resolves when the number that an answer contains is 0. */
async function until(target: Target, path: string, count: z.ZodType<number>, what: string): Promise<void> {
  const end = performance.now() + SETTLE_MS;
  let left = 1;
  while (left > 0 && performance.now() < end) {
    await wait(100);
    const answer = await target.read(path);
    if (answer?.status === 200) left = count.parse(JSON.parse(answer.text));
  }
  if (left > 0) target.complain(`${left} ${what}`);
}

/** Nothing may stay due, and every acknowledged document without a deadline must be there. */
async function comeToRest({ host, kept }: Load): Promise<void> {
  const { target } = host;
  await until(target, `/api/collections/${COLLECTION}`, overdue, 'documents stay overdue');
  // Later deadlines would leave rows that are not swept yet.
  await target.request('POST', '/api/reaper/pause', { body: '{}' });
  await until(target, '/api/reaper', unswept, 'removed documents are not swept');
  const found = new Set<string>();
  for (let after: string | null = ''; after !== null; ) {
    const cursor: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const path = `/api/collections/${COLLECTION}/documents?limit=1000&state=never${cursor}`;
    const answer = await target.read(path);
    if (answer?.status !== 200) return target.complain('the kept documents cannot be read');
    const page = documents.parse(JSON.parse(answer.text));
    for (const { _id } of page.documents) found.add(_id);
    after = page.next;
  }
  for (const id of kept) if (!found.has(id)) target.complain(`${id} was acknowledged and is gone`);
}

function described({ resource, median, growth, mostGrowth, seconds }: Flatness): string {
  const [unit, name] = resource === 'handles' || resource === 'threads' ? [1, ''] : [1e6, ' MB'];
  const figure = (value: number) => `${(value / unit).toFixed(1)}${name}`;
  return `${figure(median)}, growth ${figure(growth)} in ${Math.round(seconds)} s (at most ${figure(mostGrowth)})`;
}
