import { readFileSync } from 'node:fs';

/** Names of the environment's variables: the file of the plan, and the file that a run's events are appended to. */
export const PLAN_VARIABLE = 'SANDGLASS_MUTATION_PLAN';
export const EVENTS_VARIABLE = 'SANDGLASS_MUTATION_EVENTS';

/** Work of one process of tests. */
export interface Plan {
  /** Absolute paths of test files, in the order in which they run. */
  readonly files: readonly string[];
  /** `collect`: which mutants each test reaches; `judge`: whether it fails with them; `load`: the same, for
   * mutants that must be active while modules are loaded. */
  readonly mode: 'collect' | 'judge' | 'load';
  /** The mutants to try, by test. */
  readonly tries: Readonly<Record<string, readonly number[]>>;
  /** What each test takes without a mutant. With one it fails if it takes many times as much. */
  readonly usual: Readonly<Record<string, UsualCost>>;
  /** `load`: the mutants with which a test file's modules are loaded again, by file. */
  readonly loads: Readonly<Record<string, readonly number[]>>;
  /** Sources with mutants, absolute path → instrumented text. */
  readonly sources: Readonly<Record<string, string>>;
}

/** Duration of a test, ms, and calls of the switches. */
export interface UsualCost {
  readonly ms: number;
  readonly steps: number;
}

/** Report of a process of tests, one line of JSON each. */
export type MutationEvent =
  /** A test without a mutant, and the mutants that it reached. */
  | ({ kind: 'test'; file: string; test: string; failed: boolean; reached: number[] } & UsualCost)
  /** Mutants whose code ran while the modules of a test file were loaded, unless an earlier file had loaded them. */
  | { kind: 'load'; file: string; reached: number[] }
  | { kind: 'try'; mutant: number; test: string }
  /** The end of a try that its process survived. */
  | { kind: 'tried'; mutant: number; test: string }
  | { kind: 'killed'; mutant: number; test: string }
  /** A test that fails without a mutant after it ran with some: those after the first were not judged. */
  | { kind: 'unrepeatable'; test: string; mutants: number[] };

export function eventsOf(file: string): MutationEvent[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.endsWith('}'))
    .map((line): MutationEvent => JSON.parse(line));
}

export function planOf(file: string): Plan {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Returns the killed mutants, without those that a test killed which would have failed without them too. */
export function killedIn(events: readonly MutationEvent[]): Set<number> {
  const killed = new Set<number>();
  for (const event of events) {
    if (event.kind === 'killed') killed.add(event.mutant);
    if (event.kind === 'unrepeatable') for (const mutant of event.mutants) killed.delete(mutant);
  }
  return killed;
}
