/**
 * `npm run mutation -- --only expiry --sample 100 --seed 1 --minutes 10`: changes the modules of `modules.ts` in memory, one
 * place at a time, and runs the tests that reach the place. Prints the share of changes that a test noticed, and the others.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withTemporaryFolder } from '../support/memory-folder.mjs';
import { MODULES } from './modules.ts';
import { type KnownSurvivor, measure, type Score } from './session.ts';

const ROOT = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    sample: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '30' },
    tests: { type: 'string' },
  },
});
const chosen = MODULES.filter(
  ({ name }) => values.only === undefined || values.only.split(',').includes(name),
);
if (chosen.length === 0) {
  console.error(
    `There is no module “${values.only}”. Modules: ${MODULES.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(1);
}
const known: readonly KnownSurvivor[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8'),
);
const cacheFolder = join(ROOT, 'node_modules/.cache/mutation');

function print(score: Score, seconds: number): void {
  const { name, all, tried, killed, undecided, known, survivors } = score;
  const share = tried === 0 ? '–' : `${((100 * killed) / tried).toFixed(1)} %`;
  const ended = undecided === 0 ? '' : `at least: ended with ${undecided} undecided, `;
  console.log(
    `${name}: ${share}, ${ended}${killed} of ${tried} killed, ${known} known survivors, ${all} in all, ${seconds} s`,
  );
  for (const { mutant, isReached } of survivors) {
    const { file, line, before, after, id } = mutant;
    console.log(
      `  ${file}:${line} #${id}${isReached ? '' : ' (reached by no test)'}  ${oneLine(before)} → ${oneLine(after)}`,
    );
  }
}

function oneLine(text: string): string {
  const words = text.replaceAll(/\s+/g, ' ');
  return words === '' ? 'nothing' : words;
}

/** The first signal ends the run, with the score so far; the second ends the process. */
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(1);
    process.exitCode = 1;
    interruption.abort();
  });
}

const endsAt = performance.now() + Number(values.minutes) * 60_000;
await withTemporaryFolder(async folder => {
  for (const [place, module] of chosen.entries()) {
    const began = performance.now();
    // Time that a module does not use goes to the next.
    const shareMs = Math.max(0, Math.round((endsAt - began) / (chosen.length - place)));
    const score = await measure(module, {
      root: ROOT,
      testsWith: values.tests?.split(',') ?? [''],
      known,
      folder,
      cacheFolder,
      sample: Number(values.sample),
      seed: Number(values.seed),
      signal: AbortSignal.any([interruption.signal, AbortSignal.timeout(shareMs)]),
    });
    print(score, Math.round((performance.now() - began) / 1_000));
  }
});
