import type { CoveringTest, FileCoverage } from './coverage.ts';
import type { Mutant } from './mutants.ts';
import { killedIn, type MutationEvent, type Plan } from './plan.ts';
import { runPlan } from './run-plan.ts';

/** Tests that take longer, ms, are not repeated for mutants. */
const LONGEST_TEST_MS = 6_000;
/** Time of the tests that are run for one mutant at most, as measured without it, ms. The quickest are taken. */
const MOST_MS_OF_A_MUTANT = 30_000;
/** The same for a mutant that is active while modules are loaded, which takes time too. */
const MOST_MS_OF_A_LOADED_MUTANT = 2_000;

export interface Judged {
  readonly killed: ReadonlySet<number>;
  /** Mutants that no usable test reaches. */
  readonly unreached: ReadonlySet<number>;
  /** Mutants with tests that were not run when the run was ended. */
  readonly undecided: ReadonlySet<number>;
}

/** Runs the tests that reach `mutants` with each of them, until `signal` ends the run. */
export async function judge(
  mutants: readonly Mutant[],
  coverage: ReadonlyMap<string, FileCoverage>,
  { all, sources, folder, signal }: JudgeOptions,
): Promise<Judged> {
  const tests = [...coverage.values()]
    .flatMap(file => file.tests)
    .filter(({ ms, failed }) => !failed && ms <= LONGEST_TEST_MS);
  const whenLoaded = new Set([...coverage.values()].flatMap(file => file.loaded));
  const usual = Object.fromEntries(tests.map(({ test, ms, steps }) => [test, { ms, steps }]));
  const inTests = new Tries();
  const whileLoading = new Tries();
  const unreached = new Set<number>();
  for (const { id, file: source } of mutants) {
    const reaching = tests.filter(({ reached }) => reached.includes(id));
    if (reaching.length > 0) inTests.add(id, reaching, MOST_MS_OF_A_MUTANT);
    else if (whenLoaded.has(id)) {
      const others = new Set(all.flatMap(other => (other.file === source ? [other.id] : [])));
      const using = tests.filter(({ reached }) => reached.some(other => others.has(other)));
      // Of a file of constants no test reaches anything: any of them may use it.
      whileLoading.add(id, using.length > 0 ? using : tests, MOST_MS_OF_A_LOADED_MUTANT);
    } else unreached.add(id);
  }
  const killed = new Set<number>();
  const undecided = new Set<number>();
  for (const [mode, tried] of [['judge', inTests] as const, ['load', whileLoading] as const]) {
    if (tried.files.length === 0) continue;
    const { files, tries, loads } = tried;
    const plan = { mode, files, tries, loads: mode === 'load' ? loads : {}, usual, sources };
    const events = signal.aborted ? [] : await runPlan(plan, folder, signal);
    const killedNow = killedIn(events);
    for (const mutant of killedNow) killed.add(mutant);
    if (!signal.aborted) continue;
    for (const mutant of tried.without(events)) if (!killedNow.has(mutant)) undecided.add(mutant);
  }
  return { killed, unreached, undecided };
}

export interface JudgeOptions {
  readonly all: readonly Mutant[];
  readonly sources: Plan['sources'];
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Which mutants are tried by which tests. */
class Tries {
  readonly tries: Record<string, number[]> = {};
  readonly loads: Record<string, number[]> = {};
  readonly #msOfFile = new Map<string, number>();

  /** Adds the quickest of `tests`, up to `mostMs`. */
  add(mutant: number, tests: readonly CoveringTest[], mostMs: number): void {
    let sum = 0;
    for (const { test, file, ms } of tests.toSorted((a, b) => a.ms - b.ms)) {
      if (sum > mostMs) return;
      sum += ms;
      this.tries[test] = [...(this.tries[test] ?? []), mutant];
      this.loads[file] = [...new Set([...(this.loads[file] ?? []), mutant])];
      this.#msOfFile.set(file, (this.#msOfFile.get(file) ?? 0) + ms);
    }
  }

  /** The quickest first: most mutants are killed by then. */
  get files(): string[] {
    return [...this.#msOfFile].toSorted((a, b) => a[1] - b[1]).map(([file]) => file);
  }

  /** Mutants with a try that is not among `events`. */
  without(events: readonly MutationEvent[]): Set<number> {
    const done = new Set(
      events.flatMap(event => (event.kind === 'tried' ? [`${event.mutant} ${event.test}`] : [])),
    );
    return new Set(
      Object.entries(this.tries).flatMap(([test, mutants]) =>
        mutants.filter(mutant => !done.has(`${mutant} ${test}`)),
      ),
    );
  }
}
