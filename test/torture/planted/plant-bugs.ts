import { tmpdir } from 'node:os';
import { processFolder, removeFolder } from '../../support/process-folder.mjs';
import type { PlantedBug } from './planted-bug.ts';
import { runPartInCopy } from './run-part-in-copy.ts';
import { SourceCopy } from './source-copy.ts';

interface Run {
  readonly part: string;
  readonly size: 'sample' | 'longer run';
  readonly seconds: number;
  readonly failure: string;
}

export interface Caught {
  readonly bug: PlantedBug;
  /** Null: no part caught it. */
  readonly by: Run | null;
  /** Time of all parts that were run, in s. */
  readonly seconds: number;
}

export interface PlantOptions {
  readonly seed: number;
  /** Names of all parts that run on this machine. */
  readonly parts: readonly string[];
  /** Time of a longer run, s. */
  readonly seconds: number;
  say(line: string): void;
}

/**
 * Puts one bug after the other into a copy of the sources, and runs parts on it until one catches it: samples and longer
 * runs of the expected ones, then samples of the others. Yields each bug with what caught it. Throws if
 * the copy without a bug fails such a run.
 */
export async function* plantBugs(bugs: readonly PlantedBug[], options: PlantOptions): AsyncGenerator<Caught> {
  const folder = processFolder(tmpdir(), 'sandglass-planted-');
  try {
    const copy = new SourceCopy(folder);
    const sound = new Set<string>();
    for (const bug of bugs) {
      const restore = copy.plant(bug);
      let found: Caught;
      try {
        found = await caught(folder, bug, options);
      } finally {
        restore();
      }
      if (found.by !== null) await checkSound(folder, found.by, options, sound);
      yield found;
    }
  } finally {
    removeFolder(folder);
  }
}

/** Throws if the run that caught a bug fails without it too. */
async function checkSound(
  folder: string,
  { part, size }: Pick<Run, 'part' | 'size'>,
  { seed, seconds }: PlantOptions,
  known: Set<string>,
): Promise<void> {
  const name = `the ${size} of ${part}`;
  if (known.has(name)) return;
  const { failure } = await runPartInCopy(folder, part, {
    seed,
    seconds: size === 'sample' ? 'quick' : seconds,
  });
  if (failure !== null) throw new Error(`without a bug, ${name} fails: ${failure}`);
  known.add(name);
}

async function caught(
  folder: string,
  bug: PlantedBug,
  { seed, parts, seconds, say }: PlantOptions,
): Promise<Caught> {
  const expected = bug.parts.filter(part => parts.includes(part));
  const others = parts.filter(part => !expected.includes(part));
  const runs = [
    ...expected.map(part => ({ part, size: 'sample' as const })),
    ...expected.map(part => ({ part, size: 'longer run' as const })),
    ...others.map(part => ({ part, size: 'sample' as const })),
  ];
  let spent = 0;
  for (const { part, size } of runs) {
    const run = await runPartInCopy(folder, part, { seed, seconds: size === 'sample' ? 'quick' : seconds });
    spent += run.seconds;
    if (run.failure === null) {
      say(`${bug.name}: passes the ${size} of ${part}`);
      continue;
    }
    return { bug, by: { part, size, seconds: run.seconds, failure: run.failure }, seconds: spent };
  }
  return { bug, by: null, seconds: spent };
}
