/**
 * A process for a test to kill: `node crash-child.ts SCENARIO STORE ROUND`. Opens the store as the product does, writes, and
 * prints what is durable to standard output, in whole lines and at once.
 */
import { writeSync } from 'node:fs';
import { openEngine } from '../../electron/engine/engine.ts';
import { systemClock } from '../../electron/engine/platform/clock.ts';
import { createLogger } from '../../electron/engine/platform/logger.ts';
import type { TtlSource } from '../../shared/model/ttl-index.ts';
import { tellExpired } from './expired-ids.ts';

function say(...words: (string | number)[]): void {
  writeSync(1, `${words.join(' ')}\n`);
}

// The checkpoint thread is the only thread that is started here.
process.on('worker', () => say('thread'));

const [scenario = '', storeFile = '', round = '0'] = process.argv.slice(2);
const { engine } = openEngine({
  storeFile,
  clock: systemClock,
  log: createLogger('warn', systemClock.now),
  version: '0.0.0-test',
  callsWaiting: () => 0,
  reads: 'inline',
  // As in the product: a checkpoint may be running when the process is killed.
  checkpoints: 'thread',
});
const { backend, indexBuilds, imports } = engine;

function makeIndex(
  name: string,
  source: TtlSource = { kind: 'field', field: 'exp', unit: 'milliseconds', expireAfter: 0 },
): void {
  backend.createIndex(
    'c',
    {
      name,
      source,
      onExpire: { action: 'delete' },
      schedule: { mode: 'exact' },
      limits: {},
      retention: null,
    },
    { by: 'child' },
  );
  say('index', name);
  indexBuilds.startPending();
}

function plusSeconds(seconds: number): TtlSource {
  return { kind: 'expression', expression: `doc.exp / 1000 + ${seconds}` };
}

/** Returns `count` documents named after the round, each due at `deadline`. */
async function feed(count: number, deadline: (i: number) => number | null, prefix = ''): Promise<void> {
  const job = await imports.start(
    { collection: 'c', create: true, format: 'ndjson', mode: 'insert', subject: 'x', deadlines: 'none' },
    'child',
  );
  const A_PIECE = 300;
  for (let i = 0; i < count; i += A_PIECE) {
    const lines = Array.from({ length: A_PIECE }, (_, k) =>
      JSON.stringify({ _id: `${prefix}${round}-${i + k + 1}`, exp: deadline(i + k), text: 'x'.repeat(60) }),
    );
    const { committedLines = 0 } = await imports.append(job.id, `${lines.join('\n')}\n`);
    say('committed', committedLines);
  }
  await imports.finish(job.id);
}

backend.onCommit(commit => tellExpired(backend, commit, gone => gone.length > 0 && say('removed', ...gone)));
if (!backend.hasCollection('c')) backend.createCollection('c');
const makesItsOwn = scenario === 'build' || scenario === 'change expression';
if (!makesItsOwn && backend.indexDefinitions('c').length === 0) makeIndex('exp');
await indexBuilds.whenIdle();
const now = Date.now();
say('ready');

if (scenario === 'import') await feed(1_000_000, i => now + 3_600_000 + i);
else if (scenario === 'drain') {
  // A third never expires; the others expire from a moment during the import on.
  await feed(6_000, i => (i % 3 === 0 ? null : now + 60 + (i % 700)));
} else if (scenario === 'sweep') {
  backend.setPause({}, { by: 'child', since: now }, 'child');
  await feed(12_000, i => (i % 3 === 0 ? null : now));
  backend.setPause({}, null, 'child');
  say('draining');
} else if (scenario === 'build') {
  await feed(6_000, i => now + 3_600_000 + i);
  const expireAfter = Number(round);
  makeIndex(`exp ${round}`, { kind: 'field', field: 'exp', unit: 'milliseconds', expireAfter });
} else if (scenario === 'change expression') {
  if (round === '0') makeIndex('exp', plusSeconds(0));
  await feed(2_100, i => now + 3_600_000 + i);
  await indexBuilds.whenIdle();
  const after = { ...backend.index('c', 'exp'), source: plusSeconds(Number(round) + 1) };
  backend.changeIndex('c', after, { by: 'child', isExpected: true });
  say('changed');
  indexBuilds.startPending();
  // A part is written while the index is building.
  await feed(600, i => now + 3_600_000 + i, 'meanwhile ');
}
setInterval(() => {}, 1_000);
