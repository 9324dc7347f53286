import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { residentBytes } from '../../soak/memory.ts';
import { heldHandles } from './handles.ts';

/** One reading of everything that must not grow. Bytes and counts; `second` since the start of the load, wall time. */
export interface Reading {
  readonly second: number;
  readonly resident: number;
  /** Used heap of all threads, after a collection of garbage. */
  readonly heap: number;
  readonly file: number;
  readonly log: number;
  /** Without connections that a client holds. */
  readonly handles: number;
  readonly connections: number;
  readonly threads: number;
  /** Documents removed so far. */
  readonly removed: number;
}

/** File of the heap folder at whose change each thread collects its garbage within a second. */
const COLLECT = 'collect';
/** Time from that request to a reading, ms. */
const COLLECTED_MS = 1_500;

/** Resolves when the threads of the process have given back the memory that they do not need. */
export async function collectGarbage(heapFolder: string): Promise<void> {
  writeFileSync(join(heapFolder, COLLECT), '');
  await wait(COLLECTED_MS);
}

/** A thread that has not written its heap for this long has ended. */
const LIVING_MS = 5_000;

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function heapBytes(folder: string): number {
  return readdirSync(folder)
    .filter(name => name !== COLLECT)
    .map(name => join(folder, name))
    .filter(file => Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < LIVING_MS)
    .reduce((sum, file) => sum + Number(readFileSync(file, 'utf8')), 0);
}

/** Reads the resources of a process and of its store (Linux). Null if the process has ended. */
export function readResources(
  { pid, file, heapFolder }: { pid: number; file: string; heapFolder: string },
  { second, removed }: Pick<Reading, 'second' | 'removed'>,
): Reading | null {
  const resident = residentBytes(pid);
  if (resident === null) return null;
  return {
    second,
    removed,
    resident,
    heap: heapBytes(heapFolder),
    file: sizeOf(file),
    log: sizeOf(`${file}-wal`),
    ...heldHandles(pid),
    threads: readdirSync(`/proc/${pid}/task`).length,
  };
}
