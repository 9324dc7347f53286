import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine } from '../../../electron/engine/engine.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { withTemporaryFolder } from '../../support/memory-folder.mjs';
import type { Part, Report, Run } from '../part.ts';
import type { Account } from './account.ts';
import { judge } from './judge.ts';
import { SCENARIOS } from './scenarios.ts';
import { describeFault, type Fault, missingStrace } from './strace.ts';
import { type Outcome, TracedChild } from './traced-child.ts';

/** SQLite and Node read and write with several of the system's calls: the faults are aimed at each. */
const SYSCALLS: Readonly<Record<string, readonly string[]>> = {
  fdatasync: ['EIO', 'ENOSPC', 'EDQUOT'],
  fsync: ['EIO', 'ENOSPC', 'EDQUOT'],
  pwrite64: ['EIO', 'ENOSPC', 'EDQUOT'],
  write: ['EIO', 'ENOSPC'],
  pread64: ['EIO'],
  ftruncate: ['EIO', 'ENOSPC'],
  unlink: ['EIO'],
  openat: ['EIO', 'ENOSPC'],
  mmap: ['ENOMEM'],
};

/** Calls from one fault to the next: a write of a hundred documents makes several hundred calls, and one sync. */
const SPACINGS: Readonly<Record<string, readonly number[]>> = {
  pwrite64: [20, 60, 150, 400],
  pread64: [20, 60, 150],
  // One opening of a store makes about twenty: closer together, the store never opens.
  openat: [17, 31, 53],
  fsync: [2, 3, 5, 9, 17],
  fdatasync: [1, 2, 3],
};
/** Scenarios in which a system call occurs on the store's files, where it does not in all. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  // Only the checkpoint thread makes it, while a reader keeps pages in the log.
  fdatasync: ['blocked log', 'backup'],
  // Only the owner file is written with it.
  write: ['close'],
};
const OF_OTHERS = [2, 3, 7];
/** Stores under faults at the same time: each waits more than it works. */
const AT_ONCE = 4;
const QUICK: readonly [scenario: string, Fault][] = [
  // Each thread’s first sync of the file fails, and the second one succeeds: closing must not delete the log with it.
  ['close', { syscall: 'fsync', error: 'EIO', first: 1, every: 2, isOfFile: true }],
];
/** Scenarios that make checkpoints run. */
const OF_FILE = ['close', 'import', 'sweep', 'build', 'backup', 'blocked log'];

/** The real engine with its threads, in a process whose system calls on the store's files fail. */
export const IO_FAULTS: Part = {
  name: 'io-faults',
  title: 'I/O faults',
  share: 2,
  missing: missingStrace(),
  // In memory: what fails is the call, on any file system.
  run: run => withTemporaryFolder(folder => runAttempts({ ...run, folder })),
};

async function runAttempts(run: Run): Promise<Report> {
  const tally = new Tally();
  const attempts = run.isQuick ? QUICK.values() : endless(run);
  const children = Array.from({ length: run.isQuick ? 1 : AT_ONCE }, () => new TracedChild());
  await Promise.all(
    children.map(async child => {
      try {
        for (const [scenario, fault] of attempts) {
          if (performance.now() >= run.endsAt) break;
          await attempt(run, child, tally, scenario, fault);
        }
      } finally {
        await child.end();
      }
    }),
  );
  return tally.report();
}

/** One round after the other. A generator that is left by one of its readers would end for all of them. */
function endless(run: Run): IterableIterator<[string, Fault]> {
  let round = 0;
  let left: [string, Fault][] = [];
  return {
    [Symbol.iterator]() {
      return this;
    },
    next() {
      if (left.length === 0) left = roundOf(run, round++);
      const value = left.pop();
      return value === undefined ? { done: true, value: undefined } : { done: false, value };
    },
  };
}

/** One fault for every scenario and system call. */
function roundOf({ random }: Run, round: number): [string, Fault][] {
  const all = Object.keys(SCENARIOS).flatMap(scenario =>
    Object.entries(SYSCALLS).flatMap(([syscall, errors]): [string, Fault][] => {
      if (ONLY_IN[syscall]?.includes(scenario) === false) return [];
      // A call that few scenarios make fails with each of its errors.
      const chosen = ONLY_IN[syscall] === undefined ? [random.pick(errors)] : errors;
      return chosen.map(error => {
        const every = random.pick(SPACINGS[syscall] ?? OF_OTHERS);
        return [scenario, { syscall, error, first: 1 + round + random.between(0, every - 1), every }];
      });
    }),
  );
  const ofFile = OF_FILE.map((scenario): [string, Fault] => [
    scenario,
    {
      syscall: 'fsync',
      error: 'EIO',
      first: random.between(1, 4),
      every: random.between(1, 3),
      isOfFile: true,
    },
  ]);
  return [...all, ...ofFile]
    .map(one => ({ one, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

async function attempt(
  run: Run,
  child: TracedChild,
  tally: Tally,
  scenario: string,
  fault: Fault,
): Promise<void> {
  const folder = join(run.folder, `${tally.begin()}`);
  mkdirSync(folder);
  const file = join(folder, 's.sandglass');
  // The syncs of a creation are no checkpoints.
  if (fault.isOfFile) await createStore(file);
  const outcome = await child.runWithFault({ scenario, file, isAtOnce: run.random.chance(0.5) }, fault);
  const left = { isLogKept: existsSync(`${file}-wal`), isMarked: existsSync(`${file}-unsynced`) };
  const wrong = await wrongIn(scenario, file, outcome, left);
  tally.add(scenario, fault, outcome, wrong);
  const told = Object.entries(outcome.account?.errors ?? {}).map(([key, count]) => `${key} ×${count}`);
  run.say(
    `${scenario}, ${describeFault(fault)}: ${outcome.injected.length} faults; ${told.join(', ') || 'no error'}${wrong.length > 0 ? ` ✗ ${wrong.join('; ')}` : ''}`,
  );
  rmSync(folder, { recursive: true, force: true });
}

async function createStore(storeFile: string): Promise<void> {
  const { stop } = openEngine({
    storeFile,
    clock: systemClock,
    log: createLogger('silent', systemClock.now),
    version: '0.0.0-test',
    callsWaiting: () => 0,
    reads: 'inline',
  });
  await stop();
}

async function wrongIn(scenario: string, file: string, outcome: Outcome, left: Left): Promise<string[]> {
  const { account, ended, injected } = outcome;
  if (account === null) return [ended ?? 'it did not answer'];
  return [...(await judge(scenario, file, account)), ...unnoticed(injected, account, left)];
}

/** Files beside the store after the scenario, before it is opened again. */
interface Left {
  readonly isLogKept: boolean;
  /** The mark of a failed sync: the next opening copies the store first. */
  readonly isMarked: boolean;
}

/**
 * A failed sync of the store or its log must be told: as an error of a call, by a copy of the store, or by its mark. One
 * that fails while the store is closed must leave the log, from which the next opening copies every page anew.
 */
function unnoticed(
  injected: readonly string[],
  { closedAt, copied, errors }: Account,
  { isLogKept, isMarked }: Left,
): string[] {
  const failedAt = injected.flatMap(line => {
    const [, at] = / (\d+\.\d+) (?:fsync|fdatasync)\(\d+<[^>]*\.sandglass(?:-wal)?>\)/.exec(line) ?? [];
    return at === undefined ? [] : [Number(at) * 1_000];
  });
  const isTold = copied > 0 || isMarked || Object.keys(errors).some(key => key.endsWith('SYNC_FAILED'));
  const isSafe = failedAt.every(at => at >= closedAt) && isLogKept;
  return failedAt.length === 0 || isTold || isSafe
    ? []
    : [`${failedAt.length} failed syncs were not noticed`];
}

/** Counts of what was done. */
class Tally {
  readonly #done: Record<string, number> = {};
  readonly #failures: string[] = [];
  #attempts = 0;

  /** Returns the number of the attempt. */
  begin(): number {
    this.#attempts += 1;
    return this.#attempts;
  }

  add(scenario: string, fault: Fault, { injected, account }: Outcome, wrong: readonly string[]): void {
    this.#count(`faults in ${scenario}`, injected.length);
    this.#count(`faults of ${fault.syscall}`, injected.length);
    this.#count(`faults by ${fault.error}`, injected.length);
    this.#count('faults', injected.length);
    this.#count('stores judged', 1);
    this.#count('copies after a failed sync', account?.copied ?? 0);
    this.#count('documents acknowledged', account?.present.length ?? 0);
    this.#count('documents removed', account?.gone.length ?? 0);
    this.#count('expired intervals', account?.intervals ?? 0);
    for (const line of wrong) this.#failures.push(`${scenario}, ${describeFault(fault)}: ${line}`);
  }

  #count(what: string, count: number): void {
    this.#done[what] = (this.#done[what] ?? 0) + count;
  }

  report(): Report {
    return { done: this.#done, failures: this.#failures };
  }
}
