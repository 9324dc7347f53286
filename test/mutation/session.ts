import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { coverageOf } from './coverage.ts';
import { judge } from './judge.ts';
import type { MutatedModule } from './modules.ts';
import { type Mutant, mutate } from './mutants.ts';

/** A survivor that no test can kill, or none should. */
export interface KnownSurvivor {
  readonly file: string;
  /** The trimmed line. */
  readonly code: string;
  readonly before: string;
  readonly after: string;
  readonly why: string;
}

export interface Score {
  readonly name: string;
  /** Mutants of the module. */
  readonly all: number;
  /** Mutants that were tried, without known survivors. */
  readonly tried: number;
  readonly killed: number;
  /** Tried mutants that were neither killed nor tried with all their tests when the run was ended. */
  readonly undecided: number;
  readonly known: number;
  readonly survivors: readonly { readonly mutant: Mutant; readonly isReached: boolean }[];
}

export interface Session {
  readonly root: string;
  readonly known: readonly KnownSurvivor[];
  /** Only test files whose paths contain one of these texts are run: a quick lower bound of the score. */
  readonly testsWith: readonly string[];
  /** Empty; for plans, events and the temporary files of tests. */
  readonly folder: string;
  /** Keeps what each test reaches, in a file for each module. */
  readonly cacheFolder: string;
  /** At most so many mutants of a module are tried, at even distances from one chosen by the seed. */
  readonly sample: number;
  readonly seed: number;
  /** Ends the run: what was decided by then is returned. */
  readonly signal: AbortSignal;
}

/** Mutants that are tried by one process. */
const BATCH = 400;

/** Tries the mutants of a module. */
export async function measure(module: MutatedModule, session: Session): Promise<Score> {
  const { root, folder, signal } = session;
  const all: Mutant[] = [];
  const sources: Record<string, string> = {};
  for (const file of filesOf(module.sources, root)) {
    const made = mutate(file, readFileSync(join(root, file), 'utf8'), all.length + 1);
    all.push(...made.mutants);
    sources[join(root, file)] = made.instrumented;
  }
  const sample = evenly(all, session.sample, session.seed);
  const unknown = sample.filter(mutant => !session.known.some(known => isSame(known, mutant)));
  const tests = filesOf(module.tests, root)
    .filter(file => !/\.(timing|cluster)\./.test(file))
    .filter(file => session.testsWith.some(text => file.includes(text)))
    .map(file => join(root, file));
  const cache = join(session.cacheFolder, `${module.name}.json`);
  const coverage = await coverageOf(tests, sources, { folder, cache, signal });
  const survivors: { mutant: Mutant; isReached: boolean }[] = [];
  let tried = 0;
  let undecided = 0;
  // Each batch is spread over the module too, so that an early end leaves an even sample.
  for (const batch of batchesOf(unknown)) {
    if (signal.aborted) break;
    const judged = await judge(batch, coverage, { all, sources, folder, signal });
    tried += batch.length;
    undecided += judged.undecided.size;
    for (const mutant of batch) {
      if (judged.killed.has(mutant.id) || judged.undecided.has(mutant.id)) continue;
      survivors.push({ mutant, isReached: !judged.unreached.has(mutant.id) });
    }
  }
  return {
    name: module.name,
    all: all.length,
    tried,
    killed: tried - undecided - survivors.length,
    undecided,
    known: sample.length - unknown.length,
    survivors: survivors.toSorted((a, b) => a.mutant.id - b.mutant.id),
  };
}

function filesOf(globs: readonly string[], root: string): string[] {
  return [...new Set(globs.flatMap(glob => globSync(glob, { cwd: root }).toSorted()))].map(file =>
    file.replaceAll('\\', '/'),
  );
}

export function isSame(known: KnownSurvivor, mutant: Mutant): boolean {
  const { file, code, before, after } = mutant;
  return known.file === file && known.code === code && known.before === before && known.after === after;
}

function evenly<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  if (items.length <= count) return [...items];
  const step = items.length / count;
  const first = ((seed * 0.618_034) % 1) * step;
  return Array.from({ length: count }, (_, place) => items[Math.floor(first + place * step)]).filter(
    item => item !== undefined,
  );
}

function batchesOf<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / BATCH);
  return Array.from({ length: count }, (_, batch) => items.filter((_item, place) => place % count === batch));
}
