import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENTS_VARIABLE, eventsOf, type MutationEvent, PLAN_VARIABLE, type Plan } from './plan.ts';

/** A try that lasts longer, ms, has hung its process: the limit of a test (runner.ts) did not end it. */
const HUNG_AFTER_MS = 40_000;
const CHECK_EVERY_MS = 500;

/**
 * Runs a plan in a process of its own and returns its events. A mutant that hangs or ends the process is killed, and the
 * others go on in a new process. Throws if a process ends without a mutant to blame.
 * @param folder Takes the plan, the events and the temporary files of the tests.
 * @param signal Ends the run: the events so far are returned.
 */
export async function runPlan(plan: Plan, folder: string, signal: AbortSignal): Promise<MutationEvent[]> {
  const planFile = join(folder, 'plan.json');
  const eventsFile = join(folder, 'events.jsonl');
  writeFileSync(eventsFile, '');
  for (let left = plan; ; left = without(left, eventsOf(eventsFile))) {
    writeFileSync(planFile, JSON.stringify(left));
    const { code, output } = await runProcess(planFile, eventsFile, folder, signal);
    const events = eventsOf(eventsFile);
    if (code === 0 || signal.aborted) return events;
    const last = events.findLast(event => event.kind === 'try');
    if (last === undefined)
      throw new Error(`The process of tests ended with ${code}: ${output.slice(-4_000)}`);
    const killed: MutationEvent = { kind: 'killed', mutant: last.mutant, test: last.test };
    appendFileSync(eventsFile, `${JSON.stringify(killed)}\n`);
  }
}

async function runProcess(planFile: string, eventsFile: string, folder: string, signal: AbortSignal) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'child.ts')], {
    env: { ...process.env, TMPDIR: folder, [PLAN_VARIABLE]: planFile, [EVENTS_VARIABLE]: eventsFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output = (output + data).slice(-20_000);
    });
  }
  const watch = setInterval(() => {
    const hasHung = Date.now() - statSync(eventsFile).mtimeMs > HUNG_AFTER_MS;
    if (hasHung && eventsOf(eventsFile).at(-1)?.kind === 'try') child.kill('SIGKILL');
  }, CHECK_EVERY_MS);
  const stop = () => child.kill('SIGKILL');
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  // Before the folder is deleted.
  process.prependOnceListener('exit', stop);
  await once(child, 'close');
  process.off('exit', stop);
  signal.removeEventListener('abort', stop);
  clearInterval(watch);
  return { code: child.exitCode, output };
}

/** The part of a plan that has not been run. Mutants of `load` are tried again unless they were killed. */
function without(plan: Plan, events: readonly MutationEvent[]): Plan {
  if (plan.mode === 'load') return plan;
  const tried = new Set(
    events.flatMap(event => (event.kind === 'try' ? [`${event.mutant} ${event.test}`] : [])),
  );
  const tries = Object.fromEntries(
    Object.entries(plan.tries).map(([test, mutants]) => [
      test,
      mutants.filter(mutant => !tried.has(`${mutant} ${test}`)),
    ]),
  );
  return { ...plan, tries };
}
