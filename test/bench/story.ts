import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Keys, Order } from './documents.ts';
import type { Figures } from './figures.ts';

/** Options of a run; a story reads those that it needs. */
export interface StoryOptions {
  documents: number;
  keys: Keys;
  order: Order;
  /** Retention of expired documents, s. */
  retention: number;
  seed: number;
  /** Duration of a steady load, s. */
  seconds: number;
}

/** One scenario of one system, in its own process. Rejects if the system is missing or fails. */
export type Story = (options: StoryOptions, folder: string) => Promise<Figures>;

export const HOUR_MS = 3_600_000;
export const DAY_S = 86_400;
export const BATCH = 1_000;

/** Calls `act` with a new folder on the disk of temporary files, and removes it afterwards. */
export async function inFolder<Result>(act: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-bench-'));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
