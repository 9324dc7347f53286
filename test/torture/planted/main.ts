import { PARTS } from '../parts.ts';
import { type Caught, plantBugs } from './plant-bugs.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';

const FAILURE_CHARACTERS = 100;

/**
 * `npm run torture -- --planted`: which part catches which planted bug, and after how long. `names` choose the bugs whose
 * names contain one of them. Returns whether each was caught, except those that name a reason.
 */
export async function runPlanted(options: {
  seed: number;
  minutes: number;
  names: readonly string[];
}): Promise<boolean> {
  const { seed, minutes, names } = options;
  const bugs = PLANTED_BUGS.filter(bug => names.some(name => bug.name.includes(name)));
  const parts = PARTS.filter(({ missing }) => missing === undefined).map(part => part.name);
  console.log(`${bugs.length} planted bugs, parts: ${parts.join(', ')}`);
  const counts = new Map<string, number>();
  let isPassed = bugs.length > 0;
  for await (const caught of plantBugs(bugs, {
    seed,
    parts,
    seconds: minutes * 60,
    say: line => console.error(`  ${line}`),
  })) {
    console.log(row(caught));
    const by = caught.by?.part ?? 'not caught';
    counts.set(by, (counts.get(by) ?? 0) + 1);
    if (caught.by === null && caught.bug.notCaught === undefined) isPassed = false;
  }
  console.log([...counts].map(([by, count]) => `${by}: ${count}`).join(', '));
  return isPassed;
}

/** One row of the table: bug, part, time, first violation. */
function row({ bug, by, seconds }: Caught): string {
  if (by === null) return `| ${bug.name} | not caught | ${Math.round(seconds)} s | ${bug.notCaught ?? ''} |`;
  const failure = by.failure.slice(0, FAILURE_CHARACTERS).replaceAll('|', '\\|');
  return `| ${bug.name} | ${by.part}, ${by.size} | ${Math.round(by.seconds)} s | ${failure} |`;
}
