import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Figures, quantile } from '../figures.ts';

/** A time in which the disk did not store a small write, or a thread that was ready to run did not run, epoch ms. */
export interface Standstill {
  readonly kind: 'disk' | 'processor';
  readonly from: number;
  readonly to: number;
}

/** An event that was late: expected at `from`, seen at `to`, epoch ms. `removedAt`: when the transaction of its cause began. */
export interface LateEvent {
  readonly from: number;
  readonly removedAt: number;
  readonly to: number;
}

interface Found {
  readonly syncMs: number[];
  readonly lateMs: number[];
  readonly standstills: Standstill[];
}

/**
 * Measures the machine beside a story: a disk that is shared, and processors that others use, stand still for all. `end`
 * returns what was found.
 */
export function watchMachine(file: string): { end(): Promise<Found> } {
  const worker = new Worker(new URL('standstill-thread.ts', import.meta.url), { workerData: file });
  return {
    async end() {
      worker.postMessage('end');
      const [found]: Found[] = await once(worker, 'message');
      return found ?? { syncMs: [], lateMs: [], standstills: [] };
    },
  };
}

/**
 * Groups late events into stalls, and counts them by cause: if disk and processors stood still for at least half of the longest
 * delay, the one of them that did so longer; else the wait for the removal, or the way from there to the reader.
 */
export function stallsOf(late: readonly LateEvent[], { syncMs, lateMs, standstills }: Found): Figures {
  const stalls: LateEvent[] = [];
  for (const event of [...late].sort((a, b) => a.from - b.from)) {
    const last = stalls.at(-1);
    if (last === undefined || event.from > last.to) stalls.push(event);
    else if (event.to - event.from > last.to - last.from) stalls.splice(-1, 1, event);
  }
  const count = { disk: 0, processor: 0, removal: 0, delivery: 0 };
  let ownMaxMs = 0;
  for (const stall of stalls) {
    const ms = stall.to - stall.from;
    const diskMs = stoodStillMs(stall, standstills, 'disk');
    const processorMs = stoodStillMs(stall, standstills, 'processor');
    const isOwn = diskMs + processorMs < ms / 2;
    if (isOwn) ownMaxMs = Math.max(ownMaxMs, ms);
    if (!isOwn) count[diskMs >= processorMs ? 'disk' : 'processor'] += 1;
    else count[stall.removedAt - stall.from > ms / 2 ? 'removal' : 'delivery'] += 1;
  }
  return {
    syncP50Ms: quantile(syncMs, 0.5),
    syncP99Ms: quantile(syncMs, 0.99),
    syncMaxMs: Math.max(0, ...syncMs),
    waitLateP99Ms: quantile(lateMs, 0.99),
    waitLateMaxMs: Math.max(0, ...lateMs),
    stalls: stalls.length,
    stallsOfDisk: count.disk,
    stallsOfProcessor: count.processor,
    stallsOfRemoval: count.removal,
    stallsOfDelivery: count.delivery,
    ownStallMaxMs: ownMaxMs,
  };
}

function stoodStillMs(
  { from, to }: LateEvent,
  standstills: readonly Standstill[],
  kind: Standstill['kind'],
): number {
  return standstills
    .filter(one => one.kind === kind)
    .reduce((sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)), 0);
}
