import type { FileCare } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';

const CHECK_EVERY_MS = 3_600_000;

export interface DailyStatisticsOptions {
  fileCare: FileCare;
  clock: Clock;
  log: Logger;
  yieldToCalls(): Promise<void>;
}

/** Renews the statistics of the query planner once a day, one table at a time, with waiting calls in between [S3]. */
export class DailyStatistics {
  readonly #options: DailyStatisticsOptions;
  #cancelTimer: () => void = () => {};
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: DailyStatisticsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancelTimer = this.#options.clock.setTimer(CHECK_EVERY_MS, () => {
      this.#running = this.#run().then(() => {
        if (!this.#isStopped) this.start();
      });
    });
  }

  /** Finishes the current table and ends. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { fileCare, log, yieldToCalls } = this.#options;
    try {
      const statements = fileCare.staleStatistics();
      if (statements === null) return;
      for (const statement of statements) {
        await yieldToCalls();
        if (this.#isStopped) return;
        fileCare.renewStatistics(statement);
      }
      fileCare.recordStatisticsRenewed();
    } catch (error) {
      log.error(
        'the query planner’s statistics were not renewed; it is tried again in an hour',
        errorFields(error),
      );
    }
  }
}
