import { z } from 'zod';
import { CSV_DELIMITERS } from '../model/import/csv-rows.ts';
import { procedure } from './procedure-builder.ts';
import { collectionName, count, instant, nothing } from './schemas/common-schemas.ts';
import { effectExpectation } from './schemas/effect.ts';

export const rejectedDocument = z.object({
  /** Line of the text, from 1, or position in the array. */
  line: count,
  _id: z.string().optional(),
  code: z.string(),
  message: z.string(),
});
export type RejectedDocument = z.infer<typeof rejectedDocument>;

export const writeMode = z.enum(['insert', 'upsert']);

const jobKind = z.enum([
  'import',
  'index build',
  'recount',
  'sample data',
  'set expiration',
  'clear expiration',
  'undo expiration',
  'delete',
  'apply policy',
  'restore',
  'purge',
  'backup',
  'compact',
  'check',
  'recovery',
]);

/** A long-running task that reports its progress, in `unit`, and can be cancelled. */
export const job = z.object({
  id: z.string(),
  kind: jobKind,
  collection: collectionName,
  /** File or index that the job processes. */
  subject: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  unit: z.enum(['documents', 'bytes']),
  done: count,
  /** Null: not counted yet. */
  total: count.nullable(),
  startedAt: instant,
  endedAt: instant.nullable(),
  error: z.string().nullable(),
  /** Imports: every line up to here is durable, in the store or in `rejected`. */
  committedLines: count.optional(),
  inserted: count.optional(),
  updated: count.optional(),
  expiredOnArrival: count.optional(),
  rejectedCount: count.optional(),
  /** The first 1,000 rejected documents. */
  rejected: z.array(rejectedDocument).optional(),
  /** Bulk changes and restores: documents done, and the first 1,000 that failed, with their errors [E3, X4]. */
  succeeded: count.optional(),
  failedCount: count.optional(),
  failed: z.array(z.object({ _id: z.string(), code: z.string(), message: z.string() })).optional(),
  /** Documents that `only` left unchanged. */
  unchangedCount: count.optional(),
  /** Number of documents whose previous deadlines are kept for `jobs.undo`; absent: none. */
  undoable: count.optional(),
  revision: count.optional(),
  /** Result of the job, such as the file of a backup. */
  result: z.string().optional(),
});
export type Job = z.infer<typeof job>;

/**
 * `mongoexport`: Extended JSON, canonical or relaxed, becomes plain JSON. `arangoexport`: `_key` becomes `_id`. Both
 * accept one document per line, or an array. `csv`: the first row names the fields.
 */
export const importFormat = z.enum(['ndjson', 'json', 'csv', 'mongoexport', 'arangoexport']);
export type ImportFormat = z.infer<typeof importFormat>;
/** Separator of CSV fields. */
export const csvDelimiter = z.enum(CSV_DELIMITERS);
/**
 * Use of the deadlines of an export (`$expiration`) by an import: as instants, as the time left at the export, counted
 * from now, or not at all. The member is removed from the document in each case.
 */
export const importDeadlines = z.enum(['absolute', 'remaining', 'none']);
export type ImportDeadlines = z.infer<typeof importDeadlines>;

const oneJob = z.object({ job: z.string() });
const tags = ['Jobs'];

export const jobs = {
  list: procedure({ permission: 'read', writes: false, feature: null })
    .route({ method: 'GET', path: '/api/jobs', tags, summary: 'Running and recent jobs' })
    .input(nothing.optional())
    .output(z.array(job)),
  get: procedure({ permission: 'read', writes: false, feature: null })
    .route({ method: 'GET', path: '/api/jobs/{job}', tags, summary: 'Progress of a job' })
    .input(oneJob)
    .output(job),
  cancel: procedure({ permission: 'write', writes: true, feature: null })
    .route({ method: 'DELETE', path: '/api/jobs/{job}', tags, summary: 'Cancel a job' })
    .input(oneJob)
    .output(job),
  undo: procedure({ permission: 'write', writes: true, feature: 'undoExpiration' })
    .route({
      method: 'POST',
      path: '/api/jobs/{job}/undo',
      tags,
      summary: 'Set back the deadlines that a job changed, where they are still as it left them; a job',
    })
    .input(oneJob.extend({ expect: effectExpectation.optional() }))
    .output(job),
};

/**
 * An import is sent in parts, so that a file of any size needs little memory; each answer confirms which documents are
 * durable.
 */
export const imports = {
  start: procedure({ permission: 'write', writes: true, feature: 'import' })
    .input(
      z.object({
        collection: collectionName,
        /** Create the collection if it does not exist. */
        create: z.boolean().default(true),
        format: importFormat.default('ndjson'),
        /** With `csv`; by default the most frequent separator of the first row. */
        delimiter: csvDelimiter.optional(),
        mode: writeMode.default('upsert'),
        /** The field that becomes `_id` in documents without one. */
        idField: z.string().optional(),
        /** `as field`: `$expiration` is an ordinary field, as in all other writes. */
        deadlines: importDeadlines.or(z.literal('as field')).default('absolute'),
        subject: z.string().default('import'),
        /** Continues an import that stopped: documents up to this line, or position in an array, are skipped. */
        afterLine: count.default(0),
        totalBytes: count.optional(),
      }),
    )
    .output(job),
  /** Text may be cut anywhere, also within a line; at most 1 MiB. */
  append: procedure({ permission: 'write', writes: true, feature: 'import', body: 'piece' })
    .input(oneJob.extend({ text: z.string().max(1 << 20) }))
    .output(job),
  finish: procedure({ permission: 'write', writes: true, feature: 'import' }).input(oneJob).output(job),
};
