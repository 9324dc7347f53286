/**
 * `npm run torture -- --minutes 60 --seed 1`: every part, each for its share of the time. `--quick` runs the sample that
 * `npm test` runs, `--only NAME` one part. The exit code is 1 if a part found something.
 *
 * `--planted` puts bugs into a copy of the sources, one at a time, and runs the parts until one catches it; `--bug NAME`,
 * also several times, chooses bugs, `--minutes` is the time of a longer run. The exit code is 1 if a bug was not caught.
 */
import { parseArgs } from 'node:util';
import { exitOnSignals } from '../support/process-folder.mjs';
import { type Report, runPart } from './part.ts';
import { PARTS } from './parts.ts';
import { runPlanted } from './planted/main.ts';

exitOnSignals();
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    planted: { type: 'boolean', default: false },
    bug: { type: 'string', multiple: true },
  },
});
const seed = Number(values.seed);
const minutes = Number(values.minutes ?? (values.planted ? 1 : 10));
if (values.planted) {
  process.exit((await runPlanted({ seed, minutes, names: values.bug ?? [''] })) ? 0 : 1);
}
const chosen = PARTS.filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0) {
  console.error(`There is no part “${values.only}”. Parts: ${PARTS.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
const shares = chosen.reduce((sum, { share, missing }) => sum + (missing === undefined ? share : 0), 0);

function print({ done, failures }: Report, seconds: number): void {
  for (const [what, count] of Object.entries(done)) console.log(`  ${what}: ${count}`);
  console.log(
    `  ${failures.length === 0 ? 'passed' : `${failures.length} failures`}, ${Math.round(seconds)} s`,
  );
  for (const failure of failures) console.log(`  ✗ ${failure}`);
}

let failed = 0;
console.log(`seed ${seed}`);
for (const part of chosen) {
  console.log(`\n── ${part.name}: Sandglass under ${part.title}`);
  if (part.missing !== undefined) {
    console.log(`  not run here: it ${part.missing}`);
    continue;
  }
  const began = performance.now();
  const seconds = values.quick ? 'quick' : (minutes * 60 * part.share) / shares;
  const report = await runPart(part, { seed, seconds, say: line => console.error(`  ${line}`) });
  print(report, (performance.now() - began) / 1_000);
  if (report.failures.length > 0) {
    failed += 1;
    console.log(`  again: npm run torture -- --only ${part.name} --seed ${seed} --minutes ${minutes}`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
