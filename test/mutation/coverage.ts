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
 * Returns what each test file reaches. Reads it from `cache` for files that have not changed, as long as no mutated
 * source has.
 */
export async function coverageOf(
  files: readonly string[],
  sources: Plan['sources'],
  folder: string,
  cache: string,
): Promise<Map<string, FileCoverage>> {
  const known: Record<string, FileCoverage> = existsSync(cache)
    ? JSON.parse(readFileSync(cache, 'utf8'))
    : {};
  const base = hash(JSON.stringify(sources));
  const keys = new Map(files.map(file => [file, hash(base + file + readFileSync(file, 'utf8'))]));
  const unknown = files.filter(file => known[keys.get(file) ?? ''] === undefined);
  if (unknown.length > 0) {
    const plan: Plan = { files: unknown, mode: 'collect', tries: {}, steps: {}, loads: {}, sources };
    const events = await runPlan(plan, folder);
    for (const file of unknown) {
      known[keys.get(file) ?? ''] = {
        tests: events.filter((event): event is CoveringTest => event.kind === 'test' && event.file === file),
        loaded: events.flatMap(event => (event.kind === 'load' && event.file === file ? event.reached : [])),
      };
    }
    mkdirSync(dirname(cache), { recursive: true });
    writeFileSync(cache, JSON.stringify(known));
  }
  return new Map(files.map(file => [file, known[keys.get(file) ?? ''] ?? { tests: [], loaded: [] }]));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
