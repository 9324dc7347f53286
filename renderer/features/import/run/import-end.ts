import type { Job } from '../../../../shared/contract/jobs.ts';

/** Outcome of an import. The job counts durable documents in every case. */
export type ImportEnd =
  | { is: 'done'; job: Job }
  | { is: 'cancelled'; job: Job }
  /** The confirmation for production was declined: nothing was started. */
  | { is: 'declined' }
  | { is: 'failed'; job: Job | null; what: string; todo: string; code: string };
