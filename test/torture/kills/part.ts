import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../support/random.ts';
import { NEEDS_POSIX } from '../../support/runs-here.ts';
import { Acknowledgements } from '../lives/acknowledgements.ts';
import { buildLives, LIVES_FROM_SOURCES, type LifePrograms } from '../lives/built-lives.ts';
import { judge } from '../lives/judge.ts';
import { randomPhases } from '../lives/phases.ts';
import type { Part, Report, Run } from '../part.ts';
import { killProcess, killThread } from './kill.ts';

/** Kills of one store, one after the other. */
const KILLS_OF_A_STORE = 10;
/** Stores that are killed at the same time: a life waits for deadlines, for a third of its time. */
const AT_ONCE = 2;
const FAILURES_SHOWN = 20;
/** Lines up to a kill. */
const LINES = 40;
/** More than a life reaches until its kill, so that few end before. */
const PHASES_OF_A_LIFE = 12;
const MOST_DELAY_MS = 40;
/** With less, a thread of the engine does not start. */
const LIMITS_MIB = [24, 64] as const;

const THREAD_ENDS = ['thread', 'memory'] as const;

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
  'expired intervals': number;
}

async function kills(run: Run): Promise<Report> {
  const done: Tally = {
    stores: 0,
    kills: 0,
    'ended before the kill': 0,
    'threads ended': 0,
    'threads without memory': 0,
    'expired intervals': 0,
  };
  const failures: string[] = [];
  const programs = run.isQuick ? LIVES_FROM_SOURCES : await buildLives(run.folder);
  const isOver = () => (run.isQuick ? done.stores >= 1 : performance.now() > run.endsAt);
  const worker = async () => {
    while (!isOver()) {
      const nth = done.stores++;
      failures.push(
        ...(await killOneStore(run, programs, nth, done)).map(
          problem => `seed ${run.seed}, store ${nth}, ${problem}`,
        ),
      );
      if (nth % 10 === 0) run.say(`${done.kills} kills, ${failures.length} failures`);
    }
  };
  await Promise.all(Array.from({ length: run.isQuick ? 1 : AT_ONCE }, worker));
  return { done: { ...done }, failures: failures.slice(0, FAILURES_SHOWN) };
}

/** One life in ten is one of a thread, whose process goes on. */
async function killOneStore(run: Run, programs: LifePrograms, nth: number, done: Tally): Promise<string[]> {
  const { random, isQuick } = run;
  const folder = join(run.folder, `store-${nth}`);
  const file = join(folder, 'life.sandglass');
  mkdirSync(folder);
  const acknowledged = new Acknowledgements();
  try {
    const rounds = isQuick ? 2 : KILLS_OF_A_STORE;
    for (let round = 0; round < rounds; round++) {
      const kind = round === (isQuick ? 1 : 4) ? (isQuick ? 'memory' : random.pick(THREAD_ENDS)) : 'process';
      const life = { programs, file, name: `r${round}`, phases: phasesOf(random, kind, isQuick) };
      if (kind === 'process') {
        const line = random.chance(0.1) ? 0 : random.between(1, isQuick ? 10 : LINES);
        // Line 0 is the start of the process, which takes longer than a step between two lines.
        const afterMs = line === 0 ? random.between(50, 900) : random.between(0, MOST_DELAY_MS);
        if (await killProcess(life, acknowledged, { line, afterMs })) done.kills += 1;
        else done['ended before the kill'] += 1;
      } else {
        const how =
          kind === 'thread'
            ? { afterMs: random.between(200, 2_500) }
            : { limitMiB: isQuick ? LIMITS_MIB[0] : random.between(...LIMITS_MIB) };
        const end = await killThread(life, acknowledged, how);
        if (end === 'ERR_WORKER_OUT_OF_MEMORY') done['threads without memory'] += 1;
        else if (kind === 'thread' && end === 'terminated') done['threads ended'] += 1;
        else if (kind === 'thread' && end === 'by itself') done['ended before the kill'] += 1;
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
    done['expired intervals'] += acknowledged.intervals;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A thread that ends for lack of memory has its end in the last phase. */
function phasesOf(
  random: Random,
  kind: 'process' | (typeof THREAD_ENDS)[number],
  isQuick: boolean,
): string[] {
  if (kind !== 'memory') return randomPhases(random, isQuick ? 3 : PHASES_OF_A_LIFE);
  return [...(isQuick ? [] : randomPhases(random, 1)), 'leak'];
}
