import { tmpdir } from 'node:os';
import { processFolder, removeFolder } from '../support/process-folder.mjs';
import { Random } from '../support/random.ts';

/** The values that a part may use. */
export interface Run {
  /** The same seed gives the same choices. Times of processes and disks still differ between runs. */
  readonly seed: number;
  readonly random: Random;
  /** A part stops beginning new work after this time of `performance.now()`. `Infinity`: it ends by its own size. */
  readonly endsAt: number;
  /** A part does a sample of its work, in a few seconds. */
  readonly isQuick: boolean;
  /** An empty folder, deleted afterwards. */
  readonly folder: string;
  /** Prints one line of progress. */
  say(line: string): void;
}

export interface Report {
  /** Kinds of faults, histories and calls that were made, and how many of each. */
  readonly done: Readonly<Record<string, number | string>>;
  /** Violations, one line each, with the options that repeat them. */
  readonly failures: readonly string[];
}

/** One way to break Sandglass. */
export interface Part {
  readonly name: string;
  /** Completes “Sandglass under …”. */
  readonly title: string;
  /** Share of the minutes of a run, against the shares of the other parts. */
  readonly share: number;
  /** The reason why it cannot run on this machine; undefined: it can. */
  readonly missing?: string | undefined;
  run(run: Run): Promise<Report>;
}

/** Runs a part for about `seconds`; `quick`: a sample of it, as `npm test` does. */
export async function runPart(
  part: Part,
  options: { seed: number; seconds: number | 'quick'; say?: (line: string) => void },
): Promise<Report> {
  const { seed, seconds, say = () => {} } = options;
  const folder = processFolder(tmpdir(), `sandglass-torture-${part.name}-`);
  try {
    return await part.run({
      seed,
      random: new Random(seed),
      endsAt: seconds === 'quick' ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1_000,
      isQuick: seconds === 'quick',
      folder,
      say,
    });
  } finally {
    removeFolder(folder);
  }
}
