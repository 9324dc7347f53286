import { z } from 'zod';
import { CSV_DELIMITERS } from '../model/import/csv-rows.ts';
import { collectionName, count, instant, nothing, procedure } from './base.ts';

export const rejectedDocument = z.object({
  /** 1-based line of the text, or position in the array. */
  line: count,
  _id: z.string().optional(),
  code: z.string(),
  message: z.string(),
});
export type RejectedDocument = z.infer<typeof rejectedDocument>;

export const writeMode = z.enum(['insert', 'upsert']);

export const jobKind = z.enum([
  'import',
  'index build',
  'recount',
  'sample data',
  'set expiration',
  'clear expiration',
  'delete',
  'restore',
  'purge',
  'backup',
  'compact',
  'check',
]);

/** Long work: it says how far it is, and can be cancelled. Progress is in `unit`. */
export const job = z.object({
  id: z.string(),
  kind: jobKind,
  collection: collectionName,
  /** What it is about: a file, an index. */
  subject: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  unit: z.enum(['documents', 'bytes']),
  done: count,
  /** Null where it is not known yet. */
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
  /** The first 1,000 of them. */
  rejected: z.array(rejectedDocument).optional(),
  /** Bulk changes and restores: how many were done, and the first 1,000 that were not, with why [E3, X4]. */
  succeeded: count.optional(),
  failedCount: count.optional(),
  failed: z.array(z.object({ _id: z.string(), code: z.string(), message: z.string() })).optional(),
  revision: count.optional(),
  /** What it made, as a backup its file, or what it found. */
  result: z.string().optional(),
});
export type Job = z.infer<typeof job>;

/**
 * `mongoexport`: its Extended JSON, canonical or relaxed, becomes plain JSON. `arangoexport`: `_key` becomes `_id`. Both read
 * a document a line, and an array. `csv`: the first row names the fields.
 */
export const importFormat = z.enum(['ndjson', 'json', 'csv', 'mongoexport', 'arangoexport']);
export type ImportFormat = z.infer<typeof importFormat>;
/** What stands between the fields of CSV. */
export const csvDelimiter = z.enum(CSV_DELIMITERS);
/**
 * What of the deadlines an export kept (`$expiration`) is taken over: the instants themselves, the time that was left
 * when it was exported, counted from now, or nothing. An import takes the member out of the document in each case.
 */
export const importDeadlines = z.enum(['absolute', 'remaining', 'none']);
export type ImportDeadlines = z.infer<typeof importDeadlines>;

const oneJob = z.object({ job: z.string() });
const tags = ['Jobs'];

export const jobs = {
  list: procedure({ permission: 'read', writes: false })
    .route({ method: 'GET', path: '/api/jobs', tags, summary: 'Running and recent jobs' })
    .input(nothing.optional())
    .output(z.array(job)),
  get: procedure({ permission: 'read', writes: false })
    .route({ method: 'GET', path: '/api/jobs/{job}', tags, summary: 'Progress of a job' })
    .input(oneJob)
    .output(job),
  cancel: procedure({ permission: 'write', writes: true })
    .route({ method: 'DELETE', path: '/api/jobs/{job}', tags, summary: 'Cancel a job' })
    .input(oneJob)
    .output(job),
};

/** An import is fed in pieces, so a file of any size needs little memory; each answer means: durable up to here. */
export const imports = {
  start: procedure({ permission: 'write', writes: true })
    .input(
      z.object({
        collection: collectionName,
        /** Make the collection where there is none. */
        create: z.boolean().default(true),
        format: importFormat.default('ndjson'),
        /** With `csv`; left out, it is what the first row holds most of. */
        delimiter: csvDelimiter.optional(),
        mode: writeMode.default('upsert'),
        /** The field that becomes `_id` where a document has none. */
        idField: z.string().optional(),
        /** `as field`: `$expiration` is a field like any other, as in every write that is no import. */
        deadlines: importDeadlines.or(z.literal('as field')).default('absolute'),
        subject: z.string().default('import'),
        totalBytes: count.optional(),
      }),
    )
    .output(job),
  /** Text may be cut anywhere, also inside a line; at most 1 MiB of it. */
  append: procedure({ permission: 'write', writes: true })
    .input(oneJob.extend({ text: z.string().max(1 << 20) }))
    .output(job),
  finish: procedure({ permission: 'write', writes: true }).input(oneJob).output(job),
};
