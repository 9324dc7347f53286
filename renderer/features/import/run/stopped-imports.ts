import type { Job } from '../../../../shared/contract/jobs.ts';

/** An import that ended before the end of its file. */
export interface StoppedImport {
  job: string;
  subject: string;
  /** Line up to which its documents are stored. */
  line: number;
  totalBytes: number | null;
}

/**
 * Returns the imports into a collection that stopped, newest first, without those of a file that a later import
 * completed.
 */
export function stoppedImports(jobs: Iterable<Job>, collection: string): StoppedImport[] {
  const ofFile = new Map<string, Job>();
  for (const job of jobs) {
    if (job.kind !== 'import' || job.collection !== collection) continue;
    const before = ofFile.get(job.subject);
    if (before === undefined || before.startedAt <= job.startedAt) ofFile.set(job.subject, job);
  }
  return [...ofFile.values()]
    .filter(({ state, committedLines = 0 }) => state === 'failed' && committedLines > 0)
    .toSorted((a, b) => b.startedAt - a.startedAt)
    .map(({ id, subject, committedLines = 0, total }) => ({
      job: id,
      subject,
      line: committedLines,
      totalBytes: total,
    }));
}
