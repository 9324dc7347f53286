import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { residentBytes } from '../../soak/memory.ts';

/** One reading of everything that must not grow. Bytes and counts; `second` since the start of the load, wall time. */
export interface Reading {
  readonly second: number;
  readonly resident: number;
  /** Used heap of all threads. */
  readonly heap: number;
  readonly file: number;
  readonly log: number;
  readonly handles: number;
  readonly threads: number;
  /** Documents removed so far. */
  readonly removed: number;
}

/** A thread that has not written its heap for this long has ended. */
const LIVING_MS = 5_000;

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function heapBytes(folder: string): number {
  return readdirSync(folder)
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
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
  };
}
