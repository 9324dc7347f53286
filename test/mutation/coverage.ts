import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MutationEvent, Plan } from './plan.ts';
import { runPlan } from './run-plan.ts';

/** A test as it runs without a mutant. */
export type CoveringTest = Extract<MutationEvent, { kind: 'test' }>;

/** Mutants that the tests of one file reach. */
export interface FileCoverage {
  readonly tests: readonly CoveringTest[];
  /** Mutants whose code ran while this file's modules were loaded, unless an earlier file had loaded them. */
  readonly loaded: readonly number[];
}

/**
 * Returns what each test file reaches; nothing of files that were not run when `signal` ended the run. Reads it from `cache`
 * for files that have not changed, as long as no mutated source has.
 */
export async function coverageOf(
  files: readonly string[],
  sources: Plan['sources'],
  { folder, cache, signal }: { folder: string; cache: string; signal: AbortSignal },
): Promise<Map<string, FileCoverage>> {
  const cached: Record<string, FileCoverage> = existsSync(cache)
    ? JSON.parse(readFileSync(cache, 'utf8'))
    : {};
  const base = hash(JSON.stringify(sources));
  const keys = new Map(files.map(file => [file, hash(base + file + readFileSync(file, 'utf8'))]));
  const coverage = new Map<string, FileCoverage>();
  for (const [file, key] of keys) if (cached[key] !== undefined) coverage.set(file, cached[key]);
  const unknown = files.filter(file => !coverage.has(file));
  if (unknown.length === 0) return coverage;
  const plan: Plan = { files: unknown, mode: 'collect', tries: {}, usual: {}, loads: {}, sources };
  const events = await runPlan(plan, folder, signal);
  if (signal.aborted) return coverage;
  for (const file of unknown) {
    coverage.set(file, {
      tests: events.filter((event): event is CoveringTest => event.kind === 'test' && event.file === file),
      loaded: events.flatMap(event => (event.kind === 'load' && event.file === file ? event.reached : [])),
    });
  }
  mkdirSync(dirname(cache), { recursive: true });
  // Files that `--tests` leaves out are kept, and those of earlier sources until they are many.
  const kept = Object.keys(cached).length > 4 * keys.size ? {} : cached;
  const known = [...keys].map(([file, key]) => [key, coverage.get(file)]);
  writeFileSync(cache, JSON.stringify({ ...kept, ...Object.fromEntries(known) }));
  return coverage;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
