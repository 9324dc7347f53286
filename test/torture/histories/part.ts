import { withTemporaryFolder } from '../../support/memory-folder.mjs';
import type { Part, Report, Run } from '../part.ts';
import { HostClock } from './clock/host-clock.ts';
import { runEpoch } from './epoch.ts';
import { ARCHIVES, COLLECTION } from './recorder.ts';
import { callHost, RestartingHost } from './restarting-host.ts';
import { Watch } from './watches.ts';

/** Calls of all clients in an epoch. */
const CALLS = 3_000;
/** Faults of an epoch, by their frequency; null: none. */
const SIGNALS = ['SIGKILL', 'SIGKILL', 'SIGTERM', null] as const;
const QUICK_CALLS = 300;
/** One of each kind. */
const QUICK_EPOCHS = 2;

/**
 * Eight clients over REST, with reaper, watches, compaction of the change log, restarts, kills, and a clock that is moved. The calls of each document
 * must be linearizable with its deadline, and every watch must have every event once, in order.
 */
export const HISTORIES: Part = {
  name: 'histories',
  title: 'concurrent clients and watches of a host that is killed',
  share: 3,
  // In memory: a killed process loses nothing that it wrote, so no commit needs to wait for a disk.
  run: run => withTemporaryFolder(folder => runHistories(run, folder)),
};

async function runHistories(run: Run, folder: string): Promise<Report> {
  const clock = new HostClock(folder);
  const host = new RestartingHost(folder, clock.env);
  const done: Record<string, number> = {};
  const failures: string[] = [];
  try {
    await prepare(host);
    const main = new Watch(host, '1', { name: 'the main watch' });
    const log = { main, events: [], purges: [] };
    for (
      let number = 1;
      number <= QUICK_EPOCHS || (!run.isQuick && performance.now() < run.endsAt);
      number++
    ) {
      const seed = run.random.between(0, 2 ** 31);
      const report = await runEpoch({
        host,
        clock,
        log,
        number,
        seed,
        calls: run.isQuick ? QUICK_CALLS : CALLS,
        signals: run.isQuick ? ['SIGKILL'] : SIGNALS,
        // In every other epoch, so that the others judge readers by a time that only goes on.
        isClockMoved: number % 2 === 0,
        hasCliffs: !run.isQuick && number % 3 !== 0,
        fillerBytes: run.isQuick ? 0 : 600_000,
      });
      for (const [what, count] of Object.entries(report.met)) done[what] = (done[what] ?? 0) + count;
      done.epochs = number;
      failures.push(...report.failures.map(failure => `epoch ${number}: ${failure}`));
      if (number % 20 === 0) run.say(`histories: epoch ${number}, ${failures.length} failures`);
      if (failures.length > 0) break;
    }
    await main.close();
  } finally {
    await host.close();
    clock.close();
  }
  return { done, failures };
}

async function prepare(host: RestartingHost): Promise<void> {
  const life = await host.life();
  const calls: [string, string, unknown][] = [
    ...[COLLECTION, 'filler', ...ARCHIVES].map((name): [string, string, unknown] => [
      'POST',
      '/api/collections',
      { name },
    ]),
    [
      'POST',
      `/api/collections/${COLLECTION}/ttl-indexes`,
      { name: 'exp', source: { kind: 'field', field: 'exp', unit: 'milliseconds', expireAfter: 0 } },
    ],
    // The smallest log, so that it is compacted within an epoch or two, and copies that soon end.
    ['PATCH', '/api/settings', { logBytes: 1024 * 1024, retention: 5 }],
  ];
  for (const [method, path, body] of calls) {
    const { answer } = await callHost(life, method, path, body);
    if (answer === null || answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer?.body)}`);
  }
}
