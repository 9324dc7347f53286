import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Keys, Order } from './documents.ts';
import type { Figures } from './figures.ts';

/** What a run is told; a story takes of it what it needs. */
export interface StoryOptions {
  documents: number;
  keys: Keys;
  order: Order;
  /** Seconds for which what expired can be restored. */
  retention: number;
  seed: number;
  /** Seconds that a steady load lasts. */
  seconds: number;
}

/** One system living through one thing, in a process of its own. Rejects where it cannot. */
export type Story = (options: StoryOptions, folder: string) => Promise<Figures>;

export const HOUR_MS = 3_600_000;
export const DAY_S = 86_400;
export const BATCH = 1_000;

/** A folder of its own on the disk that temporary files lie on, gone afterwards. */
export async function inFolder<Result>(act: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-bench-'));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
