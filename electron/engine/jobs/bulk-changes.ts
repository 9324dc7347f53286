import type { DocumentFilter } from '../../../shared/contract/documents.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { Awaitable, Backend, PartResult } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { formatRecordCount } from './format-record-count.ts';
import type { JobRegistry, RunningJob } from './job-registry.ts';
import { addPartResult, runJob } from './run-job.ts';
import { changeInParts } from './write-batches.ts';

export interface Chosen {
  collection: string;
  ids?: readonly string[] | undefined;
  filter?: DocumentFilter | undefined;
}

export interface BulkChangesOptions {
  backend: Backend;
  jobs: JobRegistry;
  clock: Clock;
  log: Logger;
  yieldToCalls(): Promise<void>;
}

/** Changes `ids` until `isOver`, at least one. */
type Change = (ids: readonly string[], isOver: () => boolean, job: RunningJob) => Awaitable<PartResult>;

/** Most ids of a call that waits for its job. */
const DONE_AT_ONCE = 1_000;

/**
 * Changes of many documents as jobs; each document succeeds or fails separately [E3]. The ids that a filter selects are
 * collected before the first change: no document is changed twice even if the change affects their order, and a
 * document written meanwhile is changed in its new state.
 */
export class BulkChanges {
  readonly #options: BulkChangesOptions;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(options: BulkChangesOptions) {
    this.#options = options;
  }

  /**
   * Calls `change` with up to 500 `_id`s at a time, of which it processes as many as it can until `isOver`, and
   * `atEnd` once after the last. Throws BAD_REQUEST unless there are either ids or a filter, and the errors of the
   * filter, before anything is changed.
   */
  async run(
    kind: 'set expiration' | 'clear expiration' | 'delete',
    chosen: Chosen,
    change: Change,
    atEnd: (job: RunningJob) => void = () => {},
  ): Promise<Job> {
    const { collection, ids, filter } = chosen;
    if (filter === undefined && ids !== undefined) {
      const { started, ended } = this.#start(kind, collection, ids.length, job =>
        this.#each(job, ids, change).finally(() => atEnd(job)),
      );
      return ids.length <= DONE_AT_ONCE ? ended : started;
    }
    if (filter === undefined || ids !== undefined) throw eitherIdsOrFilter();
    const { backend, clock } = this.#options;
    const now = clock.now();
    const first = await backend.reads.matchingIds({ collection, filter, after: null }, now);
    const { started } = this.#start(kind, collection, null, async job => {
      const found = [...first.ids];
      for (let after = first.next; after !== null && !job.signal.aborted; ) {
        const page = await backend.reads.matchingIds({ collection, filter, after }, now, job.signal);
        for (const id of page.ids) found.push(id);
        after = page.next;
      }
      job.update({ total: found.length });
      await this.#each(job, found, change).finally(() => atEnd(job));
    });
    return started;
  }

  /** Returns the `_id`s of the chosen documents. Throws as `run` does; rejects with CANCELLED if the signal aborts. */
  async idsOf(
    { collection, ids, filter }: Chosen,
    signal: AbortSignal | undefined,
  ): Promise<readonly string[]> {
    if ((filter === undefined) === (ids === undefined)) throw eitherIdsOrFilter();
    if (filter === undefined) return ids ?? [];
    const { backend, clock } = this.#options;
    const now = clock.now();
    const found: string[] = [];
    for (let after: string | null = null; ; ) {
      const page: { ids: string[]; next: string | null } = await backend.reads.matchingIds(
        { collection, filter, after },
        now,
        signal,
      );
      for (const id of page.ids) found.push(id);
      if (page.next === null) return found;
      after = page.next;
    }
  }

  /** Cancels running jobs; each ends after its current part. */
  async stop(): Promise<void> {
    for (const id of this.#running.keys()) this.#options.jobs.cancel(id, 'the end of the engine');
    await Promise.all(this.#running.values());
  }

  #start(
    kind: Job['kind'],
    collection: string,
    total: number | null,
    work: (job: RunningJob) => Promise<void>,
  ): { started: Job; ended: Promise<Job> } {
    const subject =
      total === null ? 'all that match' : formatRecordCount(this.#options.backend.capabilities, total);
    const job = { kind, collection, subject, unit: 'documents' as const, total };
    const { started, ended } = runJob(
      this.#options,
      { ...job, succeeded: 0, failedCount: 0, failed: [], revision: this.#options.backend.revision },
      work,
    );
    this.#running.set(
      started.id,
      ended.finally(() => this.#running.delete(started.id)),
    );
    return { started, ended };
  }

  async #each(job: RunningJob, ids: readonly string[], change: Change): Promise<void> {
    const add = (part: readonly string[], result: PartResult) => {
      const done = part.length - (result.left ?? 0);
      addPartResult(job, done, result);
      return done;
    };
    await changeInParts(this.#options, ids, (part, isOver) => {
      if (job.signal.aborted) return part.length;
      const result = change(part, isOver, job);
      return result instanceof Promise ? result.then(found => add(part, found)) : add(part, result);
    });
    await this.#options.yieldToCalls();
  }
}

function eitherIdsOrFilter(): SandglassError {
  return new SandglassError('BAD_REQUEST', 'Give either `ids` or a `filter`.');
}
