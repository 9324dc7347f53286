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
  readonly known: number;
  readonly survivors: readonly { readonly mutant: Mutant; readonly isReached: boolean }[];
}

export interface Session {
  readonly root: string;
  /** Every module: their mutants are numbered together. */
  readonly modules: readonly MutatedModule[];
  readonly known: readonly KnownSurvivor[];
  /** Only test files whose paths contain one of these texts are run: a quick lower bound of the score. */
  readonly testsWith: readonly string[];
  /** Empty; for plans, events and the temporary files of tests. */
  readonly folder: string;
  /** File that keeps what each test reaches. */
  readonly cache: string;
  /** At most so many mutants of a module are tried, at even distances from one chosen by the seed. */
  readonly sample: number;
  readonly seed: number;
  /** No batch is begun after this time of `performance.now()`. */
  readonly endsAt: number;
}

/** Mutants that are tried by one process. After each batch the time is looked at. */
const BATCH = 400;

/** Returns a function that tries the mutants of a module. */
export function createSession(session: Session): (module: MutatedModule) => Promise<Score> {
  const { root, modules, folder, cache, endsAt } = session;
  const mutantsOf = new Map<MutatedModule, readonly Mutant[]>();
  const sources: Record<string, string> = {};
  let firstId = 1;
  for (const module of modules) {
    const mutants: Mutant[] = [];
    for (const file of filesOf(module.sources, root)) {
      const made = mutate(file, readFileSync(join(root, file), 'utf8'), firstId);
      firstId += made.mutants.length;
      mutants.push(...made.mutants);
      sources[join(root, file)] = made.instrumented;
    }
    mutantsOf.set(module, mutants);
  }
  return async module => {
    const all = mutantsOf.get(module) ?? [];
    const sample = evenly(all, session.sample, session.seed);
    const unknown = sample.filter(mutant => !session.known.some(known => isSame(known, mutant)));
    const tests = filesOf(module.tests, root)
      .filter(file => !/\.(timing|cluster)\./.test(file))
      .filter(file => session.testsWith.some(text => file.includes(text)))
      .map(file => join(root, file));
    const coverage = await coverageOf(tests, sources, folder, cache);
    const survivors: { mutant: Mutant; isReached: boolean }[] = [];
    let tried = 0;
    // Each batch is spread over the module too, so that an early end leaves an even sample.
    for (const batch of batchesOf(unknown)) {
      if (tried > 0 && performance.now() > endsAt) break;
      const { killed, unreached } = await judge(batch, coverage, all, sources, folder);
      tried += batch.length;
      for (const mutant of batch) {
        if (!killed.has(mutant.id)) survivors.push({ mutant, isReached: !unreached.has(mutant.id) });
      }
    }
    return {
      name: module.name,
      all: all.length,
      tried,
      killed: tried - survivors.length,
      known: sample.length - unknown.length,
      survivors: survivors.toSorted((a, b) => a.mutant.id - b.mutant.id),
    };
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
