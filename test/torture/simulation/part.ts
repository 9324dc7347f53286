import { DAY } from '../../support/engine.ts';
import { withTemporaryFolder } from '../../support/memory-folder.mjs';
import type { Part, Report, Run } from '../part.ts';
import { type History, type Plan, planOf, runHistory } from './history.ts';
import { shrink } from './shrink.ts';

const STEPS = 200;
const QUICK_HISTORIES = 3;
const QUICK_STEPS = 60;
const MOST_FAILURES = 3;
/** Histories that are run to find the shortest one that fails: each takes a second or less. */
const SHRINKING_RUNS = 80;
const YEAR_MS = 365.25 * DAY;

/**
 * Histories of one or two stores with the whole engine on a simulated clock, each from one seed: every commit is compared
 * with a plain model as it happens, every reader after a part of the steps, and every count at the end.
 */
export const SIMULATION: Part = {
  name: 'simulation',
  title: 'years of a store, with every feature and a clock that jumps',
  share: 2,
  // In memory: power cuts are another part's.
  run: run => withTemporaryFolder(folder => runHistories(run, folder)),
};

async function runHistories(run: Run, folder: string): Promise<Report> {
  const done: Record<string, number> = { histories: 0, steps: 0 };
  const failures: string[] = [];
  let livedMs = 0;
  for (let i = 0; run.isQuick ? i < QUICK_HISTORIES : performance.now() < run.endsAt; i++) {
    const plan = planOf(run.seed * 1_000 + i, run.isQuick ? QUICK_STEPS : STEPS);
    const history = await runHistory(plan, folder);
    livedMs += history.livedMs;
    done.histories = i + 1;
    for (const [what, count] of Object.entries(history.met)) done[what] = (done[what] ?? 0) + count;
    if (history.failure !== null) failures.push(await shortest(plan, history, folder));
    if (failures.length >= MOST_FAILURES) break;
    if (i % 100 === 99) run.say(`simulation: ${i + 1} histories, ${Math.round(livedMs / YEAR_MS)} years`);
  }
  return { done: { ...done, 'years of store life': Number((livedMs / YEAR_MS).toFixed(1)) }, failures };
}

/** Returns the failure of the shortest history that fails in the same way, with all its steps. */
async function shortest(plan: Plan, first: History, folder: string): Promise<string> {
  let found = first;
  // Later steps did not take place.
  const begun = plan.steps.slice(0, first.log.length);
  const steps = await shrink(
    begun,
    async some => {
      const history = await runHistory({ ...plan, steps: some }, folder);
      const isSame = history.failure !== null && kindOf(history.failure) === kindOf(first.failure ?? '');
      if (isSame) found = history;
      return isSame;
    },
    SHRINKING_RUNS,
  );
  const { seed, steps: _, ...rest } = plan;
  const options = JSON.stringify(rest);
  return `history ${seed}: ${found.failure}\n    ${steps.length} of ${begun.length} steps, ${options}:\n      ${found.log.join('\n      ')}`;
}

/** Returns the kind of a failure: its text without documents, numbers and the place in the code. */
function kindOf(failure: string): string {
  const [line = ''] = failure.split('\n');
  return line
    .replace(/\{.*\}/g, '')
    .replace(/[a-z]+-\d+|\d+/g, '')
    .slice(0, 60);
}
