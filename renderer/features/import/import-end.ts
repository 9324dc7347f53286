import type { Job } from '../../../shared/contract/jobs.ts';

/** How it ended. The job tells what is durable, whatever the ending. */
export type ImportEnd =
  | { is: 'done'; job: Job }
  | { is: 'cancelled'; job: Job }
  /** Production asked, and it was not wanted after all: nothing was begun. */
  | { is: 'declined' }
  | { is: 'failed'; job: Job | null; what: string; todo: string; code: string };
