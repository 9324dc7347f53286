import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { NEEDS_POSIX } from '../../support/runs-here.ts';
import { Acknowledgements } from '../lives/acknowledgements.ts';
import { judge } from '../lives/judge.ts';
import { randomPhases } from '../lives/phases.ts';
import type { Part, Report, Run } from '../part.ts';
import { killProcess, killThread } from './kill.ts';

/** Kills of one store, one after the other. */
const KILLS_OF_A_STORE = 5;
/** Stores that are killed at the same time. */
const AT_ONCE = 2;
const FAILURES_SHOWN = 20;
/** Lines that a life of a few phases prints, about. */
const LINES = 50;
const MOST_DELAY_MS = 40;
/** With less, a thread of the engine does not start; with more, its imports fit. */
const LIMITS_MIB = [14, 40] as const;

export const KILLS: Part = {
  name: 'kills',
  title: 'kills of its process and its threads',
  share: 2,
  missing: NEEDS_POSIX,
  run: kills,
};

interface Tally {
  kills: number;
  'ended before the kill': number;
  'threads ended': number;
  'threads without memory': number;
  stores: number;
}

async function kills(run: Run): Promise<Report> {
  const done: Tally = {
    stores: 0,
    kills: 0,
    'ended before the kill': 0,
    'threads ended': 0,
    'threads without memory': 0,
  };
  const failures: string[] = [];
  const isOver = () => (run.isQuick ? done.stores >= 1 : performance.now() > run.endsAt);
  const worker = async () => {
    while (!isOver()) {
      const nth = done.stores++;
      failures.push(
        ...(await killOneStore(run, nth, done)).map(problem => `seed ${run.seed}, store ${nth}, ${problem}`),
      );
      if (nth % 10 === 0) run.say(`${done.kills} kills, ${failures.length} failures`);
    }
  };
  await Promise.all(Array.from({ length: run.isQuick ? 1 : AT_ONCE }, worker));
  return { done: { ...done }, failures: failures.slice(0, FAILURES_SHOWN) };
}

/** One life in five is one of a thread, whose process goes on. */
async function killOneStore(run: Run, nth: number, done: Tally): Promise<string[]> {
  const { random, isQuick } = run;
  const folder = join(run.folder, `store-${nth}`);
  const file = join(folder, 'life.sandglass');
  mkdirSync(folder);
  const acknowledged = new Acknowledgements();
  try {
    const rounds = isQuick ? 2 : KILLS_OF_A_STORE;
    for (let round = 0; round < rounds; round++) {
      const life = { file, name: `r${round}`, phases: randomPhases(random, isQuick ? 2 : 4) };
      const kind = round === (isQuick ? 1 : 2) ? random.pick(['thread', 'memory'] as const) : 'process';
      if (kind === 'process') {
        const line = random.chance(0.2) ? 0 : random.between(1, LINES);
        // Line 0 is the start of the process, which takes longer than a step between two lines.
        const afterMs = line === 0 ? random.between(100, 900) : random.between(0, MOST_DELAY_MS);
        if (await killProcess(life, acknowledged, { line, afterMs })) done.kills += 1;
        else done['ended before the kill'] += 1;
      } else {
        const how =
          kind === 'thread'
            ? { afterMs: random.between(200, 2_500) }
            : { limitMiB: random.between(...LIMITS_MIB) };
        const end = await killThread(life, acknowledged, how);
        if (end === 'terminated') done['threads ended'] += 1;
        else if (end === 'ERR_WORKER_OUT_OF_MEMORY') done['threads without memory'] += 1;
        else if (end === 'by itself') done['ended before the kill'] += 1;
        else return [`a thread with ${JSON.stringify(how)} ended with ${end}`];
      }
      const problems = await judge(file, acknowledged);
      if (problems.length > 0)
        return problems.map(problem => `${kind} ${round} in ${acknowledged.phase}: ${problem}`);
    }
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
