import { t } from '@lingui/core/macro';
import type { Client } from '../../../../shared/contract/index.ts';
import type { ImportDeadlines, ImportFormat, Job } from '../../../../shared/contract/jobs.ts';
import type { CsvDelimiter } from '../../../../shared/model/import/csv-rows.ts';
import { Declined, oneAction, problemOf } from '../../../api.ts';
import { formatCount } from '../../../i18n/format.ts';
import { FileProblem } from '../file/file-problem.ts';
import { pieces } from '../file/pieces.ts';
import type { ImportEnd } from './import-end.ts';
import { formatStopReason } from './import-stopped.ts';

export interface ImportPlan {
  file: File;
  collection: string;
  format: ImportFormat;
  /** Null: detected from the first CSV row, unused by other formats. */
  delimiter: CsvDelimiter | null;
  /** Choice of the deadlines that are imported. */
  deadlines: ImportDeadlines;
  idField: string | null;
  /** Line after which an import of the file that stopped is continued; 0: from its beginning. */
  afterLine: number;
  /** Whether every document has an `_id` from the file, so that a repeated import inserts none twice. */
  repeatable: boolean;
}

export interface ImportProgress {
  bytesRead: number;
  job: Job;
  /** Time since the first piece was sent, ms. */
  elapsedMs: number;
}

/**
 * Sends a file to the engine piece by piece. Each piece waits for the answer to the one before, which confirms that
 * its documents are durable. Aborting cancels the job; committed documents stay.
 */
export async function runImport(
  plan: ImportPlan,
  signal: AbortSignal,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportEnd> {
  const client = oneAction();
  let job: Job | null = null;
  try {
    job = await client.imports.start({
      collection: plan.collection,
      format: plan.format,
      deadlines: plan.deadlines,
      ...(plan.delimiter !== null && { delimiter: plan.delimiter }),
      mode: 'upsert',
      subject: plan.file.name,
      afterLine: plan.afterLine,
      totalBytes: plan.file.size,
      ...(plan.idField !== null && { idField: plan.idField }),
    });
    const startedAt = performance.now();
    for await (const { text, bytesRead } of pieces(plan.file)) {
      if (signal.aborted) return { is: 'cancelled', job: await client.jobs.cancel({ job: job.id }) };
      job = await client.imports.append({ job: job.id, text });
      if (job.state !== 'running') return endedEarly(job);
      onProgress({ bytesRead, job, elapsedMs: performance.now() - startedAt });
    }
    return { is: 'done', job: await client.imports.finish({ job: job.id }) };
  } catch (error) {
    if (error instanceof Declined) return { is: 'declined' };
    return await failed(client, error, job, plan);
  }
}

function endedEarly(job: Job): ImportEnd {
  if (job.state === 'cancelled') return { is: 'cancelled', job };
  return {
    is: 'failed',
    job,
    what: job.error ?? t`The import ended early.`,
    todo: t`Drop the file again.`,
    code: 'IMPORT',
  };
}

async function failed(client: Client, error: unknown, job: Job | null, plan: ImportPlan): Promise<ImportEnd> {
  if (error instanceof FileProblem) {
    // The engine's job is still waiting for text.
    if (job !== null) await client.jobs.cancel({ job: job.id }).catch(() => {});
    return { is: 'failed', job, what: error.message, todo: error.todo, code: 'INVALID_FILE' };
  }
  if (error instanceof DOMException) {
    if (job !== null) await client.jobs.cancel({ job: job.id }).catch(() => {});
    const what = t`Reading the file failed: ${error.message}`;
    return {
      is: 'failed',
      job,
      what,
      todo: t`It may have been changed or moved. Drop it again.`,
      code: 'INVALID_FILE',
    };
  }
  const { code } = problemOf(error);
  return { is: 'failed', job, what: formatStopReason(error), todo: formatNextStep(job, plan), code };
}

function formatNextStep(job: Job | null, { repeatable }: ImportPlan): string {
  const lines = job?.committedLines ?? 0;
  if (lines === 0) return t`Nothing is stored. Import the file again.`;
  if (repeatable) return t`What is stored is kept. Import the file again: it is replaced, not duplicated.`;
  return t`What is stored is kept. Import only the lines after ${formatCount(lines)}: without an _id, earlier ones would be duplicated.`;
}
