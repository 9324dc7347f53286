import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../support/random.ts';
import { Acknowledgements } from '../lives/acknowledgements.ts';
import { judge } from '../lives/judge.ts';
import { randomPhases } from '../lives/phases.ts';
import type { Part, Report, Run } from '../part.ts';
import { type CutState, cutStates, digest, type Recorded, writeFiles } from './cut-states.ts';
import { NO_RECORDING, type RecordedCall, record } from './recording.ts';
import { recordSmallFiles, smallFileCuts } from './small-file-cuts.ts';

const CHILD = new URL('../lives/life-child.ts', import.meta.url).pathname;
const STORE = 'life.sandglass';
/** Cuts of one recording. */
const CUTS = 400;
/** On each of two file systems one of each kind of place (cut-places.ts). */
const QUICK_CUTS = 8;
/** Cuts after which a control has to have failed. */
const MOST_OF_CONTROL = 30;
const FAILURES_SHOWN = 20;

/** Syncs that a control leaves out: each of these disks loses something, which the judge has to find. */
const CONTROLS: Readonly<Record<string, (path: string) => boolean>> = {
  'no sync': () => true,
  'no sync of the log': path => path.endsWith('-wal'),
  'no sync of the store file': path => path.endsWith('.sandglass'),
  'no sync of folders': path => !/\.sandglass|-wal$|-journal$|partial$/.test(path),
};

const SMALL_FILE_CONTROLS: Readonly<Record<string, (path: string) => boolean>> = {
  'no sync of files': path => /\.\d+$/.test(path),
  'no sync of folders': path => !/\.\d+$/.test(path),
};

export const POWER_CUTS: Part = {
  name: 'power-cuts',
  title: 'power cuts',
  share: 2,
  missing: NO_RECORDING,
  run: powerCuts,
};

async function powerCuts(run: Run): Promise<Report> {
  const { isQuick, random, folder, endsAt, seed } = run;
  const failures: string[] = [];
  const seen = new Set<string>();
  const done = { lives: 0, 'recorded calls': 0, 'expired intervals': 0, cuts: 0, 'different states': 0 };
  const found = new Map(Object.keys(CONTROLS).map(name => [name, 0]));
  const isOver = () => performance.now() > endsAt;
  for await (const recorded of lives(run)) {
    done.lives += 1;
    done['recorded calls'] += recorded.calls.length;
    done['expired intervals'] += recorded.calls.filter(isInterval).length;
    for (const fileSystem of ['posix', 'ordered'] as const) {
      const count = (isQuick ? QUICK_CUTS : CUTS) / 2;
      for (const state of cutStates(recorded, { fileSystem, random, count })) {
        if (isOver() && done.cuts >= QUICK_CUTS) break;
        done.cuts += 1;
        seen.add(digest(state.files));
        for (const problem of await judged(recorded, state, folder))
          failures.push(`seed ${seed}, life ${done.lives}, ${nameOf(state)}: ${problem}`);
      }
    }
    for (const [name, isIgnored] of Object.entries(CONTROLS)) {
      if (found.get(name) !== 0) continue;
      found.set(
        name,
        await failuresOfControl(recorded, isIgnored, { random, folder, most: MOST_OF_CONTROL }),
      );
    }
    run.say(`${done.cuts} cuts of ${done.lives} lives, ${failures.length} failures`);
  }
  const small = await cutSmallFiles(run);
  failures.push(...small.failures);
  for (const [name, count] of found) if (count === 0) failures.push(`the control “${name}” finds nothing`);
  done['different states'] = seen.size;
  const controls = [...found].map(([name, count]) => `${name} (at its cut ${count})`).join(', ');
  return {
    done: { ...done, 'cuts of small files': small.cuts, 'controls that fail, as they must': controls },
    failures: failures.slice(0, FAILURES_SHOWN),
  };
}

/** Lists of connections and the other files beside a store, which are replaced as a whole. */
async function cutSmallFiles({
  folder,
  random,
  isQuick,
  seed,
}: Run): Promise<{ cuts: number; failures: string[] }> {
  const recorded = await recordSmallFiles(join(folder, 'small'));
  const failures: string[] = [];
  let cuts = 0;
  for (const { state, problems } of smallFileCuts(recorded, { folder, random, count: isQuick ? 20 : 600 })) {
    cuts += 1;
    failures.push(...problems.map(problem => `seed ${seed}, small files, ${nameOf(state)}: ${problem}`));
  }
  for (const [name, isIgnored] of Object.entries(SMALL_FILE_CONTROLS)) {
    const isFound = smallFileCuts(recorded, { folder, random, count: 100, isIgnored }).some(
      ({ problems }) => problems.length > 0,
    );
    if (!isFound) failures.push(`the control “${name}” of small files finds nothing`);
  }
  return { cuts, failures };
}

/** Records one life after the other, the next one while the last is judged; a quick run records one. */
async function* lives({ isQuick, random, folder, endsAt }: Run): AsyncGenerator<Recorded> {
  const stopping = new AbortController();
  const start = async (nth: number): Promise<Recorded | null> => {
    try {
      return await recordLife(
        join(folder, `recorded-${nth % 2}`),
        // Documents of one whose name is odd expire as intervals (life-child.ts).
        [nth % 2 === 0 ? 'a' : 'b', ...phasesOf(random, isQuick)],
        stopping.signal,
      );
    } catch (error) {
      if (stopping.signal.aborted) return null;
      throw error;
    }
  };
  let next = start(0);
  for (let nth = 1; ; nth++) {
    const recorded = await next;
    if (recorded === null) return;
    if (!isQuick) next = start(nth);
    yield recorded;
    if (!isQuick && performance.now() < endsAt) continue;
    stopping.abort();
    if (!isQuick) await next;
    return;
  }
}

/** Every life writes, expires, sweeps and opens its store again; a quick one does little else. */
function phasesOf(random: Random, isQuick: boolean): string[] {
  if (isQuick) return ['writes', 'drain', 'backup', 'reopen', 'writes'];
  return ['import', 'drain', ...randomPhases(random, 8), 'reopen', 'sweep', 'backup'];
}

/** `words`: name of the life, and its phases. */
async function recordLife(folder: string, words: readonly string[], signal: AbortSignal): Promise<Recorded> {
  writeFiles(new Map(), folder, folder);
  mkdirSync(folder, { recursive: true });
  const calls = await record(folder, [CHILD, join(folder, STORE), ...words], { signal });
  return { folder, files: new Map(), calls };
}

async function judged(recorded: Recorded, state: CutState, folder: string): Promise<string[]> {
  const place = join(folder, 'cut');
  writeFiles(state.files, recorded.folder, place);
  const acknowledged = new Acknowledgements();
  for (const line of state.said) acknowledged.hear(line);
  const problems = await judge(join(place, STORE), acknowledged);
  return problems.map(problem => `in ${acknowledged.phase}: ${problem}`);
}

/** Cuts the recording on a disk that leaves syncs out, until one cut loses something. Returns at which cut; 0: none. */
async function failuresOfControl(
  recorded: Recorded,
  isIgnored: (path: string) => boolean,
  { random, folder, most }: { random: Random; folder: string; most: number },
): Promise<number> {
  let cuts = 0;
  for (const state of cutStates(recorded, { fileSystem: 'posix', random, count: most, isIgnored })) {
    cuts += 1;
    if ((await judged(recorded, state, folder)).length > 0) return cuts;
  }
  return 0;
}

function isInterval(call: RecordedCall): boolean {
  return call.kind === 'said' && call.line.startsWith('interval ');
}

function nameOf({ fileSystem, fate, at }: CutState): string {
  return `cut at ${at} (${fileSystem}, ${fate})`;
}
