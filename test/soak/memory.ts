import { readFileSync } from 'node:fs';

/** One reading of a process's memory: seconds since the process started, and its resident bytes. */
export interface MemoryReading {
  readonly second: number;
  readonly bytes: number;
}

/**
 * Returns the private resident bytes of a process (Linux): without mapped files, which the system may drop. Null if it
 * has ended.
 */
export function residentBytes(pid: number): number | null {
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
    return ((resident ?? 0) - (shared ?? 0)) * 4_096;
  } catch {
    return null;
  }
}

/**
 * Returns the growth of one process: the median of its last third divided by the median of its middle third. The first
 * third is left out, since caches fill and code is compiled in it. Null if there are too few readings.
 */
export function growth(readings: readonly MemoryReading[]): number | null {
  const third = Math.floor(readings.length / 3);
  if (third < 5) return null;
  const middle = median(readings.slice(third, 2 * third));
  const last = median(readings.slice(2 * third));
  return last / middle;
}

function median(readings: readonly MemoryReading[]): number {
  const sorted = readings.map(({ bytes }) => bytes).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
