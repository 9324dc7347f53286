import { expect, it } from 'vitest';
import { soak } from './soak.ts';

const SECONDS = Number(process.env.SOAK_SECONDS ?? 10);
/** An idle host takes about 150 MB; request bodies and scans add up to their limits. */
const LARGEST_BYTES = 1_000_000_000;

it(
  `[C1] hostile callers, restarts, a kill and a full disk: no 5xx, bounded memory, nothing acknowledged is lost`,
  async () => {
    const report = await soak({ seconds: SECONDS, seed: 7, onProgress: line => console.log(line) });
    expect(report.complaints).toEqual([]);
    expect([report.restarts, report.kills]).toEqual([1, 1]);
    expect(report.kept).toBeGreaterThan(0);
    expect(report.largestBytes).toBeLessThan(LARGEST_BYTES);
  },
  (SECONDS + 120) * 1_000,
);
