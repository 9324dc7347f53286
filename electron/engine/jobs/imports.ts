import type { ImportFormat, Job, RejectedDocument } from '../../../shared/contract/jobs.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { formatCount } from '../../../shared/model/format.ts';
import type { CsvDelimiter } from '../../../shared/model/import/csv-rows.ts';
import type { ImportReport, WriteMode } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import { errorForCaller } from '../platform/defect.ts';
import type { Logger } from '../platform/logger.ts';
import type { DocumentSplitter, DocumentText } from './document-splitter.ts';
import { importReader } from './import-reader.ts';
import type { ImportTarget } from './import-target.ts';
import type { ImportDeadlines } from './imported-expiration.ts';
import type { JobRegistry, RunningJob } from './job-registry.ts';
import { changeInParts } from './write-batches.ts';

export interface NewImport {
  collection: string;
  create: boolean;
  format: ImportFormat;
  delimiter?: CsvDelimiter | undefined;
  mode: WriteMode;
  idField?: string | undefined;
  subject: string;
  /** Documents up to this line are skipped; by default none. */
  afterLine?: number | undefined;
  deadlines: ImportDeadlines;
  totalBytes?: number | undefined;
}

interface OpenImport {
  job: RunningJob;
  splitter: DocumentSplitter;
  request: NewImport;
  by: string;
  /** The last step; steps of one import run one after another. */
  turn: Promise<unknown>;
  /** Ends the wait for the next step. */
  cancelWait: () => void;
}

const MOST_REPORTED = 1_000;
/** Most running imports: each may hold an incomplete document of 16 MiB. */
const MOST_OPEN = 16;
/** A sender that sends nothing for longer is gone: its window was closed, or its machine is suspended. */
const SILENT_MS = 5 * 60_000;

/** Running imports. Each answer contains `committedLines`, the number of durable lines. */
export class Imports {
  readonly #target: ImportTarget;
  readonly #jobs: JobRegistry;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #yieldToCalls: () => Promise<void>;
  readonly #open = new Map<string, OpenImport>();

  constructor(
    target: ImportTarget,
    jobs: JobRegistry,
    clock: Clock,
    log: Logger,
    yieldToCalls: () => Promise<void>,
  ) {
    this.#target = target;
    this.#jobs = jobs;
    this.#clock = clock;
    this.#log = log;
    this.#yieldToCalls = yieldToCalls;
  }

  /**
   * Starts an import. Throws BUSY if too many run. With `absolute`, documents that are due on arrival hold the
   * collection in the name of `by`, so that they are not removed before a person has confirmed it [R9]. The import ends
   * when `gone` aborts, since no more text can arrive.
   */
  async start(request: NewImport, by: string, gone?: AbortSignal): Promise<Job> {
    if (this.#open.size >= MOST_OPEN) {
      throw new SandglassError('BUSY', `${MOST_OPEN} imports are running. Try again when one has ended.`, {
        running: MOST_OPEN,
      });
    }
    await this.#target.open(request.collection, request);
    const job = this.#jobs.start({
      kind: 'import',
      collection: request.collection,
      subject: request.subject,
      unit: 'bytes',
      total: request.totalBytes ?? null,
      committedLines: 0,
      inserted: 0,
      updated: 0,
      expiredOnArrival: 0,
      rejectedCount: 0,
      rejected: [],
    });
    const splitter = importReader(request.format, request.delimiter);
    const open: OpenImport = { job, splitter, request, by, turn: Promise.resolve(), cancelWait: () => {} };
    this.#open.set(job.id, open);
    this.#awaitNext(open);
    gone?.addEventListener('abort', () => this.#senderGone(open), { once: true });
    return job.current;
  }

  /** Resolves when every document that the text completes is durable or rejected. Throws JOB_NOT_FOUND, CANCELLED. */
  append(id: string, text: string): Promise<Job> {
    return this.#inTurn(id, async open => {
      await this.#write(open, open.splitter.push(text), Buffer.byteLength(text));
      return open.job.current;
    });
  }

  finish(id: string): Promise<Job> {
    return this.#inTurn(id, async open => {
      await this.#write(open, open.splitter.end(), 0);
      this.#open.delete(id);
      return open.job.done();
    });
  }

  /** Ends the wait for further text; documents received so far stay. */
  stop(): void {
    for (const open of this.#open.values()) open.cancelWait();
    this.#open.clear();
  }

  /** Ends a cancelled import that waits for text; a running step ends by itself. */
  cancelled(id: string): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    void open.turn.then(() => {
      open.cancelWait();
      this.#open.delete(id);
      open.job.cancelled();
    });
  }

  #inTurn(id: string, step: (open: OpenImport) => Promise<Job>): Promise<Job> {
    const open = this.#open.get(id);
    if (open === undefined) {
      // The import has ended, or never existed.
      const job = this.#jobs.get(id);
      throw new SandglassError('CANCELLED', `This import has ended (${job.state}).`, { job: id });
    }
    const result = open.turn.then(async () => {
      open.cancelWait();
      try {
        const job = await step(open);
        this.#awaitNext(open);
        return job;
      } catch (error) {
        this.#open.delete(id);
        const reported = errorForCaller(this.#log, 'The import', error);
        if (open.job.current.state === 'running') open.job.failed(reported.message);
        throw reported;
      }
    });
    // The next step waits for this one; its caller receives the failure.
    open.turn = result.catch(() => undefined);
    return result;
  }

  /** Ends the import if no text arrives; received documents stay. */
  #awaitNext(open: OpenImport): void {
    const { job } = open;
    if (!this.#open.has(job.id)) return;
    open.cancelWait = this.#clock.setTimer(SILENT_MS, () =>
      this.#stopAt(open, 'nothing was sent for five minutes'),
    );
  }

  /** The running step ends first, so that its documents are counted. */
  #senderGone(open: OpenImport): void {
    void open.turn.then(() => this.#stopAt(open, 'the window or program that sent it was closed'));
  }

  #stopAt(open: OpenImport, reason: string): void {
    if (!this.#open.delete(open.job.id)) return;
    open.cancelWait();
    const { committedLines = 0 } = open.job.current;
    open.job.failed(
      `Stopped after line ${formatCount(committedLines)}: ${reason}. The documents up to there are stored. Import the file again to continue.`,
    );
  }

  async #write(
    { job, request, splitter, by }: OpenImport,
    documents: DocumentText[],
    bytes: number,
  ): Promise<void> {
    const { collection, mode, idField, deadlines, afterLine = 0 } = request;
    const parts = { clock: this.#clock, yieldToCalls: this.#yieldToCalls };
    await changeInParts(parts, documents, (given, isOver) => {
      if (job.signal.aborted) {
        job.cancelled();
        throw new SandglassError('CANCELLED', 'The import was cancelled; documents written so far stay.', {
          job: job.id,
        });
      }
      const isNew = ({ line }: { line: number }) => line > afterLine;
      const readable = given.filter(one => one.problem === undefined && isNew(one));
      const add = (report: ImportReport): number => {
        const rest = readable[readable.length - (report.left ?? 0)];
        const part = rest === undefined ? given : given.slice(0, given.indexOf(rest));
        addReport(job, part, [...part.filter(isNew).flatMap(unreadable), ...report.rejected], report);
        return part.length;
      };
      const options = { mode, deadlines, idField, by, isOver };
      const written = this.#target.write(collection, readable, options);
      return written instanceof Promise ? written.then(add) : add(written);
    });
    await this.#yieldToCalls();
    job.update({
      done: job.current.done + bytes,
      committedLines: splitter.isByLine ? splitter.lines : (job.current.committedLines ?? 0),
    });
  }
}

function unreadable({ line, problem }: DocumentText): RejectedDocument[] {
  return problem === undefined ? [] : [{ line, code: 'INVALID_DOCUMENT', message: problem }];
}

function addReport(
  job: RunningJob,
  part: readonly DocumentText[],
  rejected: readonly RejectedDocument[],
  { inserted, updated, expiredOnArrival }: ImportReport,
): void {
  const { current } = job;
  const sorted = rejected.toSorted((a, b) => a.line - b.line);
  job.update({
    inserted: (current.inserted ?? 0) + inserted,
    updated: (current.updated ?? 0) + updated,
    expiredOnArrival: (current.expiredOnArrival ?? 0) + expiredOnArrival,
    rejectedCount: (current.rejectedCount ?? 0) + rejected.length,
    rejected: [...(current.rejected ?? []), ...sorted].slice(0, MOST_REPORTED),
    committedLines: part.at(-1)?.line ?? current.committedLines ?? 0,
  });
}
