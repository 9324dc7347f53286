/**
 * `npm run bench`: runs Sandglass and comparable systems on the same documents, one after the other, each run in its own
 * process. Prints a table against the goals and writes every figure as JSON.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { nodeOptions } from '../../electron/start/runtime.mjs';
import { engineGoalsOf } from './engine-goals.ts';
import { goalsOf, isMet } from './goals.ts';
import { FULL, planOf, QUICK, type Run } from './plan.ts';
import { goalTable, growthTable } from './print.ts';
import { type Result, Results } from './results.ts';

const HELP = `npm run bench [-- OPTIONS]

  --quick          up to 100,000 documents, 3 minutes
  --rows N         rows of PostgreSQL in engines-postgres (default: 10,000,000; --quick: 100,000)
  --most N         no size beyond N documents
  --repeats N      each run at most N times
  --only STORY     only stories whose name contains this, as ours-life or redis (may be repeated)
  --json FILE      file of the figures (default: bench.json); written after each run
  --from FILE      run nothing, print the table of the figures in FILE
`;

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));

/** Runs one story in its own process. Returns null if it failed; its message is on standard error. */
function runStory({ story, options }: Run): Promise<Result['figures'] | null> {
  const child = spawn(process.execPath, [...nodeOptions(), CHILD, story, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise(resolve => {
    child.on('close', code => resolve(code === 0 ? JSON.parse(output) : null));
  });
}

function formatRun({ story, options: { documents, keys, order, retention = 0 } }: Run): string {
  const words = [story, documents.toLocaleString('en'), keys, order, retention > 0 ? 'kept 24 h' : undefined];
  return words.filter(word => word !== undefined).join(' ');
}

async function runAll(runs: readonly Run[], file: string): Promise<Result[]> {
  const done: Result[] = [];
  for (const [i, run] of runs.entries()) {
    const began = performance.now();
    const figures = await runStory(run);
    const took = (performance.now() - began) / 1_000;
    const load = (loadavg()[0] ?? 0).toFixed(1);
    console.error(
      `${i + 1}/${runs.length}  ${formatRun(run)}  ${took.toFixed(1)} s${figures === null ? '  failed' : ''}  (load ${load})`,
    );
    if (figures === null) continue;
    done.push({ run, figures, took });
    writeFileSync(file, `${JSON.stringify(done, null, 1)}\n`);
  }
  return done;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      rows: { type: 'string' },
      most: { type: 'string' },
      repeats: { type: 'string' },
      only: { type: 'string', multiple: true },
      json: { type: 'string', default: 'bench.json' },
      from: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const most = Number(values.most ?? Number.POSITIVE_INFINITY);
  const only = values.only ?? [];
  const repeats = Number(values.repeats ?? Number.POSITIVE_INFINITY);
  const scale = values.quick ? QUICK : FULL;
  const rows = Number(values.rows ?? scale.engines.rows);
  const plan = planOf({ ...scale, engines: { ...scale.engines, rows } }, repeats).filter(
    ({ story, options }) =>
      options.documents <= most && (only.length === 0 || only.some(name => story.includes(name))),
  );
  const given = values.from;
  const results = new Results(
    given === undefined
      ? await runAll(plan, values.json)
      : (JSON.parse(readFileSync(given, 'utf8')) as Result[]),
  );
  // A part of the stories has no figures of the others.
  const goals = [...goalsOf(results), ...engineGoalsOf(results)].filter(
    ({ measured }) => only.length === 0 || measured !== null,
  );
  const [processor] = cpus();
  console.log(
    `\n${availableParallelism()} × ${processor?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n`,
  );
  console.log(goalTable(goals));
  if (results.largest('ours-life') > 0) console.log(`\nMedians by size:\n\n${growthTable(results)}`);
  const missed = goals.filter(goal => isMet(goal) === false).length;
  console.log(`\n${missed === 0 ? 'Every goal that was measured is met.' : `${missed} missed.`}`);
  return 0;
}

process.exitCode = await main();
