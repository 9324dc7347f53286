import { v7 as uuidv7 } from 'uuid';
import type { Job } from '../../../shared/contract/jobs.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { Clock } from '../platform/clock.ts';

const KEEP_ENDED = 50;

/** A job, as its worker updates it. */
export interface RunningJob {
  readonly id: string;
  /** Aborted when the job is cancelled. */
  readonly signal: AbortSignal;
  readonly current: Job;
  update(change: Partial<Job>): void;
  done(): Job;
  failed(message: string): Job;
  cancelled(): Job;
}

export type NewJob = Pick<Job, 'kind' | 'collection' | 'subject' | 'unit' | 'total'> & Partial<Job>;

/** All running jobs and the last that ended. */
export class JobRegistry {
  readonly #jobs = new Map<string, { job: Job; controller: AbortController }>();
  readonly #working = new Map<string, Promise<unknown>>();
  readonly #clock: Clock;
  readonly #onChange: () => void;

  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  start(job: NewJob): RunningJob {
    const id = uuidv7({ msecs: this.#clock.now() });
    const controller = new AbortController();
    const entry = {
      job: {
        ...job,
        id,
        state: 'running' as const,
        done: 0,
        startedAt: this.#clock.now(),
        endedAt: null,
        error: null,
      } as Job,
      controller,
    };
    this.#jobs.set(id, entry);
    this.#forgetOldest();
    this.#onChange();
    const update = (change: Partial<Job>) => {
      entry.job = { ...entry.job, ...change };
      this.#onChange();
    };
    const end = (change: Partial<Job>) => {
      if (entry.job.state === 'running') update({ ...change, endedAt: this.#clock.now() });
      return entry.job;
    };
    return {
      id,
      signal: controller.signal,
      get current() {
        return entry.job;
      },
      update,
      done: () => end({ state: 'done' }),
      failed: message => end({ state: 'failed', error: message }),
      cancelled: () => end({ state: 'cancelled' }),
    };
  }

  list(): Job[] {
    return [...this.#jobs.values()].map(({ job }) => job);
  }

  /** Throws JOB_NOT_FOUND. */
  get(id: string): Job {
    return this.#find(id).job;
  }

  /** Aborts the job's signal with the reason `by`; the job ends at its next step. Throws JOB_NOT_FOUND. */
  cancel(id: string, by: string): Job {
    const entry = this.#find(id);
    entry.controller.abort(by);
    return entry.job;
  }

  /** Delays closing the store until `ended` resolves; it never rejects. */
  follow(id: string, ended: Promise<unknown>): void {
    this.#working.set(
      id,
      ended.finally(() => this.#working.delete(id)),
    );
  }

  /** Cancels all followed jobs, and resolves when they have ended. */
  async stop(): Promise<void> {
    for (const id of this.#working.keys()) this.cancel(id, 'the end of the engine');
    await Promise.all(this.#working.values());
  }

  #find(id: string): { job: Job; controller: AbortController } {
    const entry = this.#jobs.get(id);
    if (entry === undefined)
      throw new SandglassError(
        'JOB_NOT_FOUND',
        `There is no job ${id}; the last ${KEEP_ENDED} that ended are kept.`,
        { job: id },
      );
    return entry;
  }

  #forgetOldest(): void {
    const ended = [...this.#jobs.values()].filter(({ job }) => job.state !== 'running');
    for (const { job } of ended.slice(0, Math.max(0, ended.length - KEEP_ENDED))) this.#jobs.delete(job.id);
  }
}
