import type { CoveringTest, FileCoverage } from './coverage.ts';
import type { Mutant } from './mutants.ts';
import { killedIn, type Plan } from './plan.ts';
import { runPlan } from './run-plan.ts';

/** Tests that take longer, ms, are not repeated for mutants. */
const LONGEST_TEST_MS = 6_000;
/** Time of the tests that are run for one mutant at most, as measured without it, ms. The quickest are taken. */
const MOST_MS_OF_A_MUTANT = 30_000;
/** Test files that are run with a mutant which is active when modules are loaded. */
const MOST_FILES_OF_A_LOADED_MUTANT = 3;

export interface Judged {
  readonly killed: ReadonlySet<number>;
  /** Mutants that no usable test reaches. */
  readonly unreached: ReadonlySet<number>;
}

/** Runs the tests that reach `mutants` with each of them. */
export async function judge(
  mutants: readonly Mutant[],
  coverage: ReadonlyMap<string, FileCoverage>,
  all: readonly Mutant[],
  sources: Plan['sources'],
  folder: string,
): Promise<Judged> {
  const tests = [...coverage.values()]
    .flatMap(file => file.tests)
    .filter(({ ms, failed }) => !failed && ms <= LONGEST_TEST_MS);
  const whenLoaded = new Set([...coverage.values()].flatMap(file => file.loaded));
  const tries: Record<string, number[]> = {};
  const steps = Object.fromEntries(tests.map(({ test, steps }) => [test, steps]));
  const files = new Map<string, number>();
  const unreached = new Set<number>();
  const loaded: { mutant: number; files: readonly string[] }[] = [];
  for (const { id, file: source } of mutants) {
    const reaching = tests.filter(({ reached }) => reached.includes(id)).toSorted((a, b) => a.ms - b.ms);
    if (reaching.length === 0 && !whenLoaded.has(id)) unreached.add(id);
    else if (reaching.length === 0) {
      const others = new Set(all.flatMap(other => (other.file === source ? [other.id] : [])));
      const loading = filesReaching(others, tests);
      loaded.push({ mutant: id, files: loading.slice(0, MOST_FILES_OF_A_LOADED_MUTANT) });
    }
    for (const { test, file, ms } of within(reaching, MOST_MS_OF_A_MUTANT)) {
      tries[test] = [...(tries[test] ?? []), id];
      files.set(file, (files.get(file) ?? 0) + ms);
    }
  }
  const empty = { tries: {}, steps, loaded: [], sources };
  const quickestFirst = [...files].toSorted((a, b) => a[1] - b[1]).map(([file]) => file);
  const killed = new Set<number>();
  if (quickestFirst.length > 0) {
    const events = await runPlan({ ...empty, mode: 'judge', files: quickestFirst, tries }, folder);
    for (const mutant of killedIn(events)) killed.add(mutant);
  }
  if (loaded.length > 0) {
    const chosen = [...new Set(loaded.flatMap(of => of.files))];
    const places = loaded.map(of => ({
      mutant: of.mutant,
      files: of.files.map(file => chosen.indexOf(file)),
    }));
    const events = await runPlan({ ...empty, mode: 'load', files: chosen, loaded: places }, folder);
    for (const mutant of killedIn(events)) killed.add(mutant);
  }
  return { killed, unreached };
}

function within(tests: readonly CoveringTest[], mostMs: number): CoveringTest[] {
  let sum = 0;
  return tests.filter(({ ms }) => {
    sum += ms;
    return sum - ms <= mostMs;
  });
}

/** Returns the files that have a test which reaches one of `mutants`, the quickest first. */
function filesReaching(mutants: ReadonlySet<number>, tests: readonly CoveringTest[]): string[] {
  const files = Map.groupBy(tests, ({ file }) => file);
  const msOf = (file: string) => (files.get(file) ?? []).reduce((sum, { ms }) => sum + ms, 0);
  return [...files.keys()]
    .filter(file => files.get(file)?.some(({ reached }) => reached.some(id => mutants.has(id))))
    .toSorted((a, b) => msOf(a) - msOf(b));
}
