import type { BackfillTarget, EmbeddedBackend } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import { errorForCaller } from '../platform/defect.ts';
import { errorFields, type Logger } from '../platform/logger.ts';
import type { JobRegistry } from './job-registry.ts';

/** Time that a step holds the writer [R5]. */
const STEP_MS = 2;
const STEP_WHILE_CALLS_COME_MS = 0.5;
/** For this time after a call, further calls are expected: steps are then shorter, so that calls are not delayed. */
const CALLS_COME_MS = 100;
/** Delay before a failed build is retried. */
const RETRY_MS = 10_000;

export interface IndexBuildOptions {
  backend: EmbeddedBackend;
  jobs: JobRegistry;
  clock: Clock;
  log: Logger;
  yieldToCalls(): Promise<void>;
  callsWaiting(): number;
}

/**
 * Builds indexes and recounts in the background, one after another, as jobs. After a restart, builds continue where
 * they were. Cancelling the build of an index drops the index. Cancelling the build of its successor keeps the index
 * as it is [D8].
 */
export class IndexBuilds {
  readonly #options: IndexBuildOptions;
  #running: Promise<void> | null = null;
  #isStopped = false;
  #isRequestedAgain = false;
  #cancelRetry: (() => void) | null = null;
  /** The job of each index that is being built. */
  readonly #builds = new Map<string, string>();

  constructor(options: IndexBuildOptions) {
    this.#options = options;
  }

  /** Starts pending builds. Call at start and after each change of a definition. */
  startPending(): void {
    if (this.#isStopped) return;
    // The running loop may have made its last check already, so it has to run again.
    this.#isRequestedAgain = this.#running !== null;
    this.#cancelRetry?.();
    this.#running ??= this.#work()
      .catch((error: unknown) => this.#retryLater(error))
      .finally(() => {
        this.#running = null;
        if (this.#isRequestedAgain) this.startPending();
      });
  }

  #retryLater(error: unknown): void {
    const { clock, log } = this.#options;
    log.error('a background build failed; retrying', {
      ...errorFields(error),
      retryMs: RETRY_MS,
    });
    this.#cancelRetry = clock.setTimer(RETRY_MS, () => this.startPending());
  }

  jobOf(collection: string, index: string): string | null {
    return this.#builds.get(`${collection}/${index}`) ?? null;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    this.#cancelRetry?.();
  }

  async whenIdle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #work(): Promise<void> {
    for (;;) {
      const target = this.#options.backend.pendingBackfills()[0];
      if (target === undefined || this.#isStopped) return;
      await this.#make(target);
    }
  }

  async #make(target: BackfillTarget): Promise<void> {
    const { backend, jobs, clock, yieldToCalls, callsWaiting } = this.#options;
    const total = (await backend.reads.summaries([target.collection], 0))[0]?.documents ?? null;
    const job = jobs.start({
      kind: target.kind === 'recount' ? 'recount' : 'index build',
      collection: target.collection,
      subject: target.kind === 'recount' ? target.collection : target.index,
      unit: 'documents',
      total,
    });
    const key = target.kind === 'recount' ? '' : `${target.collection}/${target.index}`;
    if (key !== '') this.#builds.set(key, job.id);
    let calledAt = Number.NEGATIVE_INFINITY;
    const budget = () => {
      const now = clock.elapsed();
      if (callsWaiting() > 0) calledAt = now;
      return now - calledAt < CALLS_COME_MS ? STEP_WHILE_CALLS_COME_MS : STEP_MS;
    };
    try {
      while (!this.#isStopped) {
        if (job.signal.aborted && target.kind !== 'recount') {
          const { collection, index } = target;
          if (target.kind === 'index') backend.dropIndex(collection, index, String(job.signal.reason));
          else backend.cancelSuccessor(collection, index);
          job.cancelled();
          return;
        }
        const step = backend.backfill(target, budget);
        // The index was dropped meanwhile, alone or with its collection.
        if (step === null) {
          job.cancelled();
          return;
        }
        job.update({ done: job.current.done + step.rows });
        if (step.finished) {
          job.done();
          return;
        }
        await yieldToCalls();
      }
    } catch (error) {
      const reported = errorForCaller(this.#options.log, `The ${job.current.kind}`, error);
      job.failed(reported.message);
      throw reported;
    } finally {
      this.#builds.delete(key);
    }
  }
}
