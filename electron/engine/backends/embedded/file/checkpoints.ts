import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../platform/clock.ts';
import { entryUrl } from '../../../platform/entry-url.ts';
import type { Database, Statement } from './database.ts';
import type { FullDiskGuard } from './full-disk-guard.ts';

/** `empty`: also frees the log's space on the disk. */
export type ToCheckpointThread = 'checkpoint' | 'empty' | 'close';
/** `code` is SQLite's or the system's. */
export type FromCheckpointThread = { kind: 'done' } | { kind: 'failed'; code: string; message: string };

/**
 * Pages of 4 KiB that only the log holds, from which on a checkpoint starts. Few, since a commit during the
 * checkpoint's sync takes longer the more there is to sync.
 */
const WORTH_A_RUN = 250;
/**
 * The same before the first run, which starts the thread: that takes 40 to 100 ms of CPU beside the writer. A few thousand
 * documents written to a new store need no thread.
 */
const WORTH_A_THREAD = 2_000;
/** Pages in the log from which on long work pauses until the log is empty; calls continue meanwhile. */
const CROWDED = 8_000;
/** Like CROWDED, for a full disk, on which the log has only the space of the reserve. */
const CROWDED_ON_FULL_DISK = 500;
/** Pages in the log from which on the writer's thread copies them itself: calls left the other thread no pause. */
const TOO_MANY = 32_000;
/** The bound is at most this share of the disk's free space, and at least LEAST_BOUND pages. */
const SHARE_OF_FREE = 1 / 8;
const LEAST_BOUND = 1_000;
/** Pages in the log between two measurements of the disk's free space. */
const BOUND_EVERY = 500;
/** Pages that only the log holds at the first measurement of their space in the file, and between two measurements. */
const MEASURED_FROM = 1_000;
const MEASURED_EVERY = 250;
/** Growth of the log, as a share of its bound, after which a checkpoint that a reader blocked is tried again. */
const WORTH_TRYING_AGAIN = 1 / 8;
/** Delay before pages that a reader kept in the log are copied, even without a further write. */
const RETRY_MS = 1_000;

type WatchedDisk = Pick<
  FullDiskGuard,
  'full' | 'syncFailure' | 'explain' | 'freeBytes' | 'hasRoomForLog' | 'logOutgrewDisk'
>;

/** Result of `wal_checkpoint`: pages in the log, and how many of those are in the file. */
type Log = [busy: number, pages: number, copied: number];

/**
 * Copies committed pages from the write-ahead log into the file on its own thread. SQLite's automatic checkpoints run
 * at the end of a commit, on the writer's thread: a batch that takes 8 ms then held the writer for 20 to 90 ms.
 *
 * The log restarts only when all of it is in the file at a moment without writes. So long work waits, between two of
 * its steps, while the log is large.
 */
export class Checkpoints {
  readonly #file: string;
  readonly #clock: Pick<Clock, 'setTimer'>;
  readonly #onDeath: (error: Error) => void;
  readonly #disk: WatchedDisk;
  readonly #logState: Statement<[], Log>;
  readonly #empty: Statement<[], Log>;
  /** Started by the first run: many stores are opened for a few calls only. */
  #worker: Worker | null = null;
  #running: { ended: Promise<void>; end(): void } | null = null;
  /** Pages that only the log held after the last run: a reader blocked them, or a writer was faster. */
  #leftOver = 0;
  #pages = 0;
  /** Pages in the log when the writer last copied it; 0: the log has restarted since. */
  #emptiedAt = 0;
  /** Pages that only the log holds, at which their space in the file is measured next. */
  #measuredAt = MEASURED_FROM;
  readonly #pageBytes: number;
  /** Pages in the log from which on the writer copies it, and pages in it when that was last computed. */
  #bound = TOO_MANY;
  #boundedAt = 0;
  #isFinished = false;
  #isClosing = false;
  #cancelRetry: () => void = () => {};

  /** `onDeath` receives the error that ends checkpoints for good. A full disk does not: `relieve` tries again. */
  constructor(
    db: Database,
    {
      file,
      clock,
      disk,
      onDeath,
    }: {
      file: string;
      clock: Pick<Clock, 'setTimer'>;
      disk: WatchedDisk;
      onDeath: (error: Error) => void;
    },
  ) {
    db.pragma('wal_autocheckpoint = 0');
    this.#file = file;
    this.#clock = clock;
    this.#disk = disk;
    this.#onDeath = onDeath;
    this.#pageBytes = Number(db.pragma('page_size', { simple: true }));
    this.#logState = db.prepare<[], Log>('PRAGMA wal_checkpoint(NOOP)').raw();
    this.#empty = db.prepare<[], Log>('PRAGMA wal_checkpoint(PASSIVE)').raw();
  }

  /** To be called after each commit. */
  committed(): void {
    const [, pages, copied] = this.#logState.get() ?? [0, 0, 0];
    this.#pages = pages;
    const left = pages - copied;
    if (left < this.#leftOver) this.#leftOver = 0;
    if (this.#running === null && left - this.#leftOver >= this.#worthARun) this.#run();
    this.#boundLog(pages);
    // Runs on the writer's thread, so no write intervenes: the next commit restarts the log unless a snapshot needs it.
    if (pages < this.#bound) this.#emptiedAt = 0;
    else if (pages - this.#emptiedAt >= this.#bound * WORTH_TRYING_AGAIN) {
      this.#emptiedAt = pages;
      this.#copyNow();
    }
    if (left < MEASURED_FROM) this.#measuredAt = MEASURED_FROM;
    else if (left >= this.#measuredAt) {
      this.#measuredAt = left + MEASURED_EVERY;
      this.#keepRoom();
    }
  }

  get #worthARun(): number {
    // A full disk needs the log's space soon [S1].
    return this.#worker === null && this.#disk.full === null ? WORTH_A_THREAD : WORTH_A_RUN;
  }

  /** Computes the bound from the space that would be free without the log, again as the log grows. */
  #boundLog(pages: number): void {
    if (pages < this.#boundedAt) this.#boundedAt = 0;
    if (pages - this.#boundedAt < BOUND_EVERY) return;
    this.#boundedAt = pages;
    const free = this.#disk.freeBytes() / this.#pageBytes + pages;
    this.#bound = Math.min(TOO_MANY, Math.max(LEAST_BOUND, Math.floor(free * SHARE_OF_FREE)));
  }

  /**
   * Refuses writes while the file can still grow for the log's pages: without that growth, the log could not shrink.
   */
  #keepRoom(): void {
    if (this.#disk.hasRoomForLog()) return;
    this.#copyNow();
    if (!this.#disk.hasRoomForLog()) this.#disk.logOutgrewDisk();
  }

  /** Copies the log's pages into the file on the writer's thread. */
  #copyNow(): void {
    if (this.#disk.syncFailure !== null) return;
    try {
      this.#empty.get();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Resolves when the log is small again, or a reader prevents that. */
  async caughtUp(): Promise<void> {
    const crowded = Math.min(CROWDED, this.#bound / 2);
    if (this.#pages >= (this.#disk.full === null ? crowded : CROWDED_ON_FULL_DISK))
      await this.#running?.ended;
  }

  /** Resolves when no checkpoint is running: a commit now is not slowed by one. */
  async settled(): Promise<void> {
    await this.#running?.ended;
  }

  /** Copies the log into the file and frees its space on the disk, as far as no connection reads or writes it. */
  relieve(): void {
    if (this.#running === null && !this.#isClosing) this.#run('empty');
  }

  /**
   * Starts no checkpoint any more, and resolves when the running one has ended. To be called before the writer closes: if
   * its sync fails, the log must be kept, and the last connection to close would delete it.
   */
  async finish(): Promise<void> {
    this.#isFinished = true;
    this.#cancelRetry();
    await this.#running?.ended;
  }

  /** To be called after the writer has closed: only then may the thread close the file. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelRetry();
    const worker = this.#worker;
    if (worker === null) return;
    const exited = new Promise<void>(resolve => worker.once('exit', () => resolve()));
    send(worker, 'close');
    await exited;
  }

  #run(message: 'checkpoint' | 'empty' = 'checkpoint'): void {
    // The log has pages that the file may have lost: it is left as it is for the copy.
    if (this.#disk.syncFailure !== null || this.#isFinished) return;
    let end = () => {};
    const ended = new Promise<void>(resolve => {
      end = resolve;
    });
    this.#running = { ended, end };
    this.#worker ??= this.#start();
    send(this.#worker, message);
  }

  #ended(): void {
    const running = this.#running;
    this.#running = null;
    if (!this.#isClosing) {
      const [, pages, copied] = this.#logState.get() ?? [0, 0, 0];
      this.#leftOver = pages - copied;
      // An emptied log is written from its beginning by the next commit.
      this.#pages = pages === copied ? 0 : pages;
      this.#retryLater();
    }
    running?.end();
  }

  /** A reader that kept pages in the log may end without a commit following it. */
  #retryLater(): void {
    this.#cancelRetry();
    if (this.#leftOver < WORTH_A_RUN || this.#isFinished) return;
    this.#cancelRetry = this.#clock.setTimer(RETRY_MS, () => {
      if (this.#running === null && !this.#isClosing) this.#run();
    });
  }

  /** Committed pages stay readable in the log. */
  #failed(error: unknown): void {
    const explained = this.#disk.explain(error);
    if (explained === error) this.#onDeath(error instanceof Error ? error : new Error(String(error)));
  }

  #start(): Worker {
    const worker = new Worker(entryUrl('./checkpoint-thread.ts', import.meta.url), {
      workerData: this.#file,
    });
    worker.on('message', (message: FromCheckpointThread) => {
      this.#ended();
      if (message.kind === 'failed' && !this.#isClosing)
        this.#failed(Object.assign(new Error(message.message), { code: message.code }));
    });
    const fail = (error: Error) => {
      this.#running?.end();
      if (!this.#isClosing) this.#onDeath(error);
    };
    worker.on('error', fail);
    worker.on('exit', code => {
      this.#worker = null;
      fail(new Error(`the checkpoint thread ended with code ${code}`));
    });
    return worker;
  }
}

function send(worker: Worker, message: ToCheckpointThread): void {
  worker.postMessage(message);
}
