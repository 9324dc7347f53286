import { onTestFinished } from 'vitest';
import type { Caller } from '../../electron/engine/access/caller.ts';
import type { EmbeddedEngine } from '../../electron/engine/api/context.ts';
import { openEngine } from '../../electron/engine/engine.ts';
import type { Clock } from '../../electron/engine/platform/clock.ts';
import { createLogger } from '../../electron/engine/platform/logger.ts';
import type { Client } from '../../shared/contract/index.ts';
import type { Permission } from '../../shared/contract/permissions.ts';
import { clientOf } from './client.ts';
import { createManualClock } from './manual-clock.ts';
import { settled } from './settled.ts';
import { temporaryStoreFile } from './temporary.ts';

/** Default start of a test's clock: 21 November 2026, noon, UTC. */
export const NOON = Date.UTC(2026, 10, 21, 12);
export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

export type ManualClock = ReturnType<typeof createManualClock>;

/** An open store with its reaper, on a clock that only the test moves, and a client over a port. */
export interface TestEngine {
  readonly file: string;
  readonly engine: EmbeddedEngine;
  readonly client: Client;
  readonly clock: ManualClock;
  /** Lines logged as warnings or errors. */
  readonly complaints: readonly string[];
  /** Resolves when the reaper sleeps and no index is building. */
  settle(): Promise<void>;
  /** Advances time, stopping at each wake-up of the reaper, as real time does. */
  advance(ms: number): Promise<void>;
  stop(): Promise<void>;
  /** Closes the store and opens the same file again, `ms` later. */
  reopen(ms?: number): Promise<TestEngine>;
}

export interface TestEngineOptions {
  file?: string;
  startAt?: number;
  clock?: ManualClock;
  /** Wraps the manual clock that the engine gets. */
  engineClock?: Clock;
  callsWaiting?: () => number;
  /** How many calls have arrived so far. */
  callsArrived?: () => number;
  user?: string;
  permission?: Permission;
  from?: Caller['from'];
  /** Size of the disk reserve, bytes; none by default. */
  reserveBytes?: number;
  /** The store was open until now: it is not created. */
  mustExist?: boolean;
  /** From so many due documents on, an index removes them at once; null: never. By default as in the product. */
  intervalFrom?: number | null;
}

export function openTestEngine(options: TestEngineOptions = {}): TestEngine {
  const {
    file = temporaryStoreFile(),
    startAt = NOON,
    callsWaiting = () => 0,
    user = 'ada',
    permission = 'configure',
    from = 'machine',
  } = options;
  const clock = options.clock ?? createManualClock(startAt);
  const complaints: string[] = [];
  const { engine, stop: stopEngine } = openEngine({
    storeFile: file,
    clock: options.engineClock ?? clock,
    log: createLogger('warn', clock.now, line => complaints.push(line)),
    version: '0.0.0-test',
    callsWaiting,
    reads: 'inline',
    reserveBytes: options.reserveBytes ?? 0,
    mustExist: options.mustExist ?? false,
    ...(options.callsArrived === undefined ? {} : { callsArrived: options.callsArrived }),
    ...(options.intervalFrom === undefined ? {} : { intervalFrom: options.intervalFrom }),
  });
  const { client, close } = clientOf({ engine, caller: { user, permission, from } });
  const { reaper } = engine;

  const settle = () => settled(engine, clock, () => complaints.length > 0);

  let stopped: Promise<void> | null = null;
  function stop(): Promise<void> {
    close();
    stopped ??= stopEngine();
    return stopped;
  }
  onTestFinished(stop);

  return {
    file,
    engine,
    client,
    clock,
    complaints,
    settle,
    stop,
    async advance(ms) {
      let left = ms;
      for (;;) {
        await settle();
        const { nextWakeAt, problem } = reaper.status;
        const next = problem === null ? nextWakeAt : problem.retryAt;
        // The engine's trusted time, which differs from the wall clock after a jump.
        const step = next === null ? left + 1 : Math.max(1, next - engine.clock.now());
        if (step > left) break;
        clock.advance(step);
        left -= step;
      }
      clock.advance(left);
      await settle();
    },
    async reopen(ms = 0) {
      await stop();
      return openTestEngine({
        ...options,
        file,
        startAt: clock.now() + ms,
        clock: createManualClock(clock.now() + ms),
      });
    },
  };
}
