import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Random } from '../../support/random.ts';
import { cutPlaces } from './cut-places.ts';
import { FATES, type Fate, type FileSystem, RecordedDisk } from './recorded-disk.ts';
import type { RecordedCall } from './recording.ts';

export interface Recorded {
  /** Where it was recorded. */
  readonly folder: string;
  /** Files that were on the disk before. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly calls: readonly RecordedCall[];
}

export interface CutState {
  readonly fileSystem: FileSystem;
  /** Position in the trace. */
  readonly at: number;
  readonly fate: Fate | 'mixed';
  /** Lines that the process had printed. */
  readonly said: readonly string[];
  readonly files: ReadonlyMap<string, Buffer>;
}

interface Options {
  readonly fileSystem: FileSystem;
  readonly random: Random;
  readonly count: number;
  /** Syncs of these paths do nothing, as a control. */
  readonly isIgnored?: (path: string) => boolean;
}

/** Shared memory has no content that survives the power, and SQLite reads none of it when it opens a store alone. */
const isSharedMemory = (path: string) => path.endsWith('-shm');

/** Cuts the power at `count` places of a recording, in their order, and yields the disk of each. */
export function* cutStates({ folder, files, calls }: Recorded, options: Options): Generator<CutState> {
  const { fileSystem, random, count, isIgnored } = options;
  const disk = new RecordedDisk(fileSystem, files, folder, isIgnored);
  const steps = calls
    .flatMap(call => {
      const make = { at: call.began, run: () => disk.make(call) };
      return call.kind === 'sync' ? [make, { at: call.ended, run: () => disk.synced(call) }] : [make];
    })
    .sort((a, b) => a.at - b.at);
  const cuts = cutPlaces(
    { calls: calls.filter(call => call.kind === 'said' || !isSharedMemory(call.path)), names: files.keys() },
    random,
    count,
  );
  const lines = calls.filter(call => call.kind === 'said');
  let done = 0;
  let heard = 0;
  for (const at of cuts) {
    // The call at the place of the cut is made, and a sync there has not ended in every second cut.
    const isBefore = random.chance(0.5);
    for (; done < steps.length; done++) {
      const step = steps[done];
      if (step === undefined || step.at > at || (isBefore && step.at === at)) break;
      step.run();
    }
    for (let line = lines[heard]; line !== undefined && line.began < at; line = lines[heard]) heard += 1;
    const chosen = random.chance(0.5) ? random.pick(FATES) : undefined;
    const left = disk.afterCut(random, () => chosen ?? random.pick(FATES));
    yield {
      fileSystem,
      at,
      fate: chosen ?? 'mixed',
      said: lines.slice(0, heard).map(({ line }) => line),
      files: new Map([...left].filter(([path]) => !isSharedMemory(path))),
    };
  }
}

/** Writes the files of a recorded folder into another one, which is emptied before. */
export function writeFiles(files: ReadonlyMap<string, Buffer>, from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const [path, bytes] of files) {
    const file = join(to, relative(from, path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes, { mode: 0o600 });
  }
}

/** Two states with the same digest have the same files. */
export function digest(files: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(path).update(bytes);
  return hash.digest('base64');
}
