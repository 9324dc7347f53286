import { statSync } from 'node:fs';
import { diskBytes, diskFull } from '../../../files/file-system-space.ts';
import { sidecarFile } from '../../../files/sidecar-files.ts';
import type {
  CheckResult,
  CompactResult,
  DamagedFile,
  FileCare,
  FileSpace,
  FileWorkOptions,
} from '../../backend.ts';
import { compactCopy } from '../file/compact.ts';
import { DamagedStore } from '../file/damaged/damaged-store.ts';
import { checkOnThread, compactOnThread } from '../file/file-work-threads.ts';
import { pageSpace } from '../file/page-space.ts';
import type { Writer } from '../write/writer.ts';

const DAY_MS = 86_400_000;
const PROGRESS_EVERY_MS = 200;
/** Rows of an index that are read to renew its statistics: takes a few milliseconds for any size. */
const ROWS_AN_INDEX = 400;
const ROWS_OF_LARGE = 10_000;
/** SQLite's bits for all tables, and for listing the statements instead of running them. */
const LIST_FOR_ALL = -1;

/** Maintenance of a store's file: planner statistics, compaction, check [S3]. */
export class EmbeddedFileCare implements FileCare {
  readonly #file: string;
  readonly #writer: Writer;

  constructor(file: string, writer: Writer) {
    this.#file = file;
    this.#writer = writer;
  }

  get suspended(): Promise<void> | null {
    return this.#writer.guard.suspended;
  }

  space(): FileSpace {
    const { totalBytes, freeBytes: unusedBytes } = pageSpace(this.#writer.db);
    const usedBytes = totalBytes - unusedBytes;
    const bytes = statSync(this.#file).size;
    const walBytes = statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    return {
      bytes,
      walBytes,
      totalBytes: bytes + walBytes,
      usedBytes,
      unusedBytes,
      // Every used page is written twice: to the copy and to the log.
      neededBytes: 2 * usedBytes,
      freeBytes: diskBytes(this.#file).free,
    };
  }

  openDamaged(file: string, options: FileWorkOptions): Promise<DamagedFile> {
    return DamagedStore.open(file, sidecarFile(this.#file, '-damaged'), options);
  }

  check(options: FileWorkOptions): Promise<CheckResult> {
    return checkOnThread(this.#file, options);
  }

  async compact(options: FileWorkOptions): Promise<CompactResult> {
    const { neededBytes, freeBytes } = this.space();
    if (freeBytes < neededBytes) throw diskFull(this.#file, neededBytes);
    const resume = this.#writer.guard.suspend();
    // At this stage only the copy is being made, so a cancelled compaction permits writes again.
    options.signal.addEventListener('abort', resume, { once: true });
    const stopProgress = this.#reportCopyProgress(neededBytes, options);
    try {
      return await compactOnThread(
        this.#file,
        { ...options, onProgress: done => options.onProgress?.(neededBytes / 2 + done, neededBytes) },
        () => {
          stopProgress();
          options.signal.removeEventListener('abort', resume);
        },
      );
    } catch (error) {
      throw this.#writer.guard.explain(error);
    } finally {
      stopProgress();
      options.signal.removeEventListener('abort', resume);
      resume();
    }
  }

  /**
   * Reports progress by the size of the copy, since SQLite reports none. Returns the function that stops the reports.
   */
  #reportCopyProgress(total: number, { onProgress = () => {} }: FileWorkOptions): () => void {
    const copy = compactCopy(this.#file);
    const report = () => {
      onProgress(Math.min(statSync(copy, { throwIfNoEntry: false })?.size ?? 0, total / 2), total);
      stop = this.#writer.clock.setTimer(PROGRESS_EVERY_MS, report);
    };
    let stop = this.#writer.clock.setTimer(PROGRESS_EVERY_MS, report);
    return () => stop();
  }

  staleStatistics(): readonly string[] | null {
    const { db, clock, meta } = this.#writer;
    const last = meta.number('statisticsRenewedAt');
    if (last !== null && Math.abs(clock.now() - last) < DAY_MS) return null;
    return db
      .prepare<[], string>(`PRAGMA optimize(${LIST_FOR_ALL})`)
      .pluck()
      .all()
      .filter(statement => statement.startsWith('ANALYZE'));
  }

  renewStatistics(statement: string): void {
    const table = /"([^"]+)"$/.exec(statement)?.[1];
    if (table === undefined || !this.#isLarge(table)) return;
    this.#writer.maintain(() => {
      this.#writer.db.pragma(`analysis_limit = ${ROWS_AN_INDEX}`);
      this.#writer.db.exec(statement);
    });
  }

  recordStatisticsRenewed(): void {
    const now = this.#writer.clock.now();
    this.#writer.maintain(() => this.#writer.meta.set('statisticsRenewedAt', now));
  }

  /**
   * Small ones are left out: with their statistics the planner would choose a scan, even after the table has grown. The table
   * may have been dropped since the statement was listed.
   */
  #isLarge(table: string): boolean {
    const { db } = this.#writer;
    const exists = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table);
    if (exists === undefined) return false;
    return db.prepare(`SELECT 1 FROM "${table}" LIMIT 1 OFFSET ${ROWS_OF_LARGE}`).get() !== undefined;
  }
}
