import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mountTmpfs, NO_TMPFS, unmount } from '../../support/tmpfs.ts';
import { judge } from '../io-faults/judge.ts';
import { SCENARIOS } from '../io-faults/scenarios.ts';
import { missingStrace } from '../io-faults/strace.ts';
import { type Outcome, TracedChild } from '../io-faults/traced-child.ts';
import type { Part, Run } from '../part.ts';
import { DISTURBANCES, type Disturbance } from './disturbances.ts';

/** Small enough to be full at once, large enough for every scenario with its backup. */
const DISK_BYTES = 32 * 1024 * 1024;
/** µs before each sync of a slow disk. */
const SLOW_US = [5_000, 20_000, 100_000];
const ON_A_SLOW_DISK = ['import', 'drain', 'sweep', 'build', 'restore', 'purge', 'backup'];

/** A disk that is full, read-only or slow, and a store's file that is moved, replaced, truncated or opened twice. */
export const DISK: Part = {
  name: 'disk',
  title: 'full, slow and changed disks',
  share: 1,
  missing: NO_TMPFS ?? missingStrace(),
  async run(run) {
    const done: Record<string, number> = {};
    const failures: string[] = [];
    const child = new TracedChild();
    let attempts = 0;
    const attempt = async (
      what: string,
      scenario: string,
      on: (file: string) => Promise<[Outcome, string[]]>,
    ) => {
      const folder = join(run.folder, `${attempts++}`);
      mkdirSync(folder);
      mountTmpfs(folder, DISK_BYTES);
      try {
        const [{ injected, account }, wrong] = await on(join(folder, 's.sandglass'));
        done[what] = (done[what] ?? 0) + injected.length;
        const errors = Object.entries(account?.errors ?? {}).map(([key, count]) => `${key} ×${count}`);
        run.say(`${scenario}, ${what} ×${injected.length}: ${errors.join(', ') || 'no error'}`);
        for (const line of wrong) {
          run.say(`✗ ${line}`);
          failures.push(`${scenario}, ${what}: ${line}`);
        }
      } finally {
        unmount(folder);
        rmSync(folder, { recursive: true, force: true });
      }
    };
    try {
      do {
        for (const one of run.isQuick ? DISTURBANCES.slice(2, 3) : DISTURBANCES) {
          const scenario = run.isQuick ? 'import' : run.random.pick(Object.keys(SCENARIOS));
          await attempt(one.name, scenario, file => disturbed(run, child, one, scenario, file));
        }
        if (run.isQuick) break;
        const scenario = run.random.pick(ON_A_SLOW_DISK);
        await attempt('calls delayed', scenario, file => slow(run, child, scenario, file));
      } while (performance.now() < run.endsAt);
    } finally {
      await child.end();
    }
    return { done: { 'stores judged': attempts, ...done }, failures };
  },
};

/** Runs a scenario while `disturbance` begins and ends at random moments. */
async function disturbed(
  { random }: Run,
  child: TracedChild,
  disturbance: Disturbance,
  scenario: string,
  file: string,
): Promise<[Outcome, string[]]> {
  const wrong: string[] = [];
  const outcome = await child.run({ scenario, file, isAtOnce: random.chance(0.5) }, async () => {
    const begun: string[] = [];
    let undo = () => {};
    const change = () => {
      try {
        undo();
        undo = disturbance.begin(file, random);
        begun.push(disturbance.name);
      } catch (error) {
        wrong.push(error instanceof Error ? error.message : String(error));
      }
      if (!disturbance.destroys) timer = setTimeout(restore, random.between(50, 600));
    };
    const restore = () => {
      undo();
      undo = () => {};
      timer = setTimeout(change, random.between(50, 600));
    };
    let timer = setTimeout(change, random.between(100, 1_500));
    return async () => {
      clearTimeout(timer);
      undo();
      return begun;
    };
  });
  if (disturbance.destroys) wrong.push(...afterLoss(outcome));
  else wrong.push(...(await judged(scenario, file, outcome)));
  return [outcome, wrong];
}

/** A file that was deleted or cut cannot be judged; the process must have answered with errors of the contract. */
function afterLoss({ account, ended }: Outcome): string[] {
  if (account !== null) return account.uncaught.map(error => `an uncaught error: ${error}`);
  // Reading a page of a mapped file that was cut off ends the process: docs/reliability.md.
  return ended?.includes('SIGBUS') === true ? [] : [ended ?? 'it did not answer'];
}

async function slow(
  { random }: Run,
  child: TracedChild,
  scenario: string,
  file: string,
): Promise<[Outcome, string[]]> {
  const outcome = await child.runWithFault(
    { scenario, file, isAtOnce: random.chance(0.5) },
    { syscall: 'fsync', error: `delay:${random.pick(SLOW_US)}`, first: 1, every: 1 },
  );
  const wrong = await judged(scenario, file, outcome);
  return [outcome, wrong];
}

async function judged(scenario: string, file: string, { account, ended }: Outcome): Promise<string[]> {
  return account === null ? [ended ?? 'it did not answer'] : await judge(scenario, file, account);
}
