/**
 * `npm run mutation -- --only expiry --sample 100 --seed 1 --minutes 10`: changes the modules of `modules.ts` in memory, one
 * place at a time, and runs the tests that reach the place. Prints the share of changes that a test noticed, and the others.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withTemporaryFolder } from '../support/memory-folder.mjs';
import { exitOnSignals } from '../support/process-folder.mjs';
import { MODULES } from './modules.ts';
import { createSession, type KnownSurvivor, type Score } from './session.ts';

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
const cache = join(ROOT, 'node_modules/.cache/mutation');
mkdirSync(cache, { recursive: true });

function print({ name, all, tried, killed, known, survivors }: Score, seconds: number): void {
  const share = tried === 0 ? '–' : `${((100 * killed) / tried).toFixed(1)} %`;
  console.log(
    `${name}: ${share}, ${killed} of ${tried} killed, ${known} known survivors, ${all} in all, ${seconds} s`,
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

// Its process of tests is ended with it.
exitOnSignals();
const endsAt = performance.now() + Number(values.minutes) * 60_000;
await withTemporaryFolder(async folder => {
  for (const [place, module] of chosen.entries()) {
    const began = performance.now();
    // Time that a module does not use goes to the next.
    const share = (endsAt - began) / (chosen.length - place);
    const score = createSession({
      root: ROOT,
      modules: MODULES,
      testsWith: values.tests?.split(',') ?? [''],
      known,
      folder,
      cache: join(cache, 'coverage.json'),
      sample: Number(values.sample),
      seed: Number(values.seed),
      endsAt: began + share,
    });
    print(await score(module), Math.round((performance.now() - began) / 1_000));
  }
});
