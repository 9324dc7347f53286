import { z } from 'zod';
import { count, nothing, procedure } from './base.ts';

/** The store's own settings, with what each is when nobody set it. Changeable while running, from the next batch on [R3]. */
export const SETTINGS = {
  /** Documents a second that one index may remove; 0: as fast as it goes. */
  removalsPerSecond: z.number().min(0).max(10_000_000).default(0),
  /** How long one batch may hold the writer. */
  batchMs: z.number().min(0.5).max(1_000).default(8),
  /** The same while calls wait. */
  batchMsWhileCallsWait: z.number().min(0.5).max(1_000).default(1.5),
  /** Documents in one batch; 0: as many as its time allows. */
  batchSize: count.max(1_000_000).default(0),
  /** Most removals in one pass of a collection, and of all passes that run at once; 0: no limit (ArangoDB's two caps). */
  mostPerPass: count.default(0),
  mostPerPassInTotal: count.default(0),
  /** Seconds that what expired can be restored, and the most bytes that are kept for it [X4]. */
  retention: z.number().min(0).max(3_153_600_000).default(86_400),
  retentionBytes: count.default(1024 ** 3),
  /** The circuit breaker trips above both: a share of the collection, and a number of documents [R8]. */
  breakerShare: z.number().min(0).max(1).default(0.5),
  breakerDocuments: count.default(10_000),
  /** A store closed for longer than so many days holds what fell due meanwhile [R9]. */
  holdAfterDays: z.number().min(0).max(36_500).default(7),
  /** A jump of the clock beyond so many seconds holds the reaper [R10]. */
  clockJump: z.number().min(1).max(31_536_000).default(3_600),
  /** The change log is kept for so many seconds and bytes, whichever is less [V3]. */
  logSeconds: z.number().min(60).max(31_536_000).default(86_400),
  logBytes: count.min(1024 * 1024).default(256 * 1024 * 1024),
} as const;

export const settingsAnswer = z.object(SETTINGS);
export type Settings = z.infer<typeof settingsAnswer>;
export const DEFAULT_SETTINGS: Settings = settingsAnswer.parse({});

/** Each may be absent (unchanged), null (its default again), or a value. */
const changes = z.strictObject(
  Object.fromEntries(
    Object.entries(SETTINGS).map(([name, schema]) => [name, schema.unwrap().nullable().optional()]),
  ) as {
    [Name in keyof typeof SETTINGS]: z.ZodOptional<
      z.ZodNullable<ReturnType<(typeof SETTINGS)[Name]['unwrap']>>
    >;
  },
);

export const settings = {
  get: procedure({ permission: 'read', writes: false })
    .route({ method: 'GET', path: '/api/settings', tags: ['Settings'], summary: 'The store’s settings' })
    .input(nothing.optional())
    .output(settingsAnswer),
  update: procedure({ permission: 'configure', writes: true })
    .route({
      method: 'PATCH',
      path: '/api/settings',
      tags: ['Settings'],
      summary: 'Change settings; null returns one to its default [R3]',
    })
    .input(changes)
    .output(settingsAnswer),
};
