import { join } from 'node:path';
import type { Random } from '../../support/random.ts';
import { type CutState, cutStates, type Recorded, writeFiles } from './cut-states.ts';
import { record } from './recording.ts';
import { smallFilesIn } from './small-files.ts';

const CHILD = new URL('./small-files-child.ts', import.meta.url).pathname;

export async function recordSmallFiles(folder: string): Promise<Recorded> {
  writeFiles(new Map(), folder, folder);
  return { folder, files: new Map(), calls: await record(folder, [CHILD, folder]) };
}

/**
 * Cuts the power while small files are replaced, and yields what is wrong after each cut: a file that is neither its
 * former version nor the new one, or a version older than the last one that was said to be written.
 */
export function* smallFileCuts(
  recorded: Recorded,
  options: { folder: string; random: Random; count: number; isIgnored?: (path: string) => boolean },
): Generator<{ state: CutState; problems: string[] }> {
  const place = join(options.folder, 'cut-small');
  for (const fileSystem of ['posix', 'ordered'] as const) {
    for (const state of cutStates(recorded, {
      ...options,
      fileSystem,
      count: Math.ceil(options.count / 2),
    })) {
      writeFiles(state.files, recorded.folder, place);
      yield { state, problems: problemsIn(place, state.said) };
    }
  }
}

function problemsIn(folder: string, said: readonly string[]): string[] {
  const problems: string[] = [];
  for (const [name, { isDurable, read }] of Object.entries(smallFilesIn(folder))) {
    const versions = (word: string) =>
      said
        .filter(line => line.startsWith(`${word} `) && line.endsWith(` ${name}`))
        .map(line => Number(line.split(' ')[1]));
    const newest = Math.max(0, ...versions('begins'));
    const oldest = isDurable ? Math.max(0, ...versions('written')) : 0;
    try {
      const found = read();
      if (!isExpected(name, found, oldest, newest))
        problems.push(`${name}: version ${found}, of ${oldest} to ${newest}`);
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return problems;
}

function isExpected(name: string, found: number, oldest: number, newest: number): boolean {
  if (name === 'token of the host') return found >= Math.min(oldest, 1);
  const versions = Array.from({ length: newest - oldest + 1 }, (_, i) => oldest + i);
  return versions.some(version => found === (name === 'webhook' && version % 3 === 0 ? 0 : version));
}
